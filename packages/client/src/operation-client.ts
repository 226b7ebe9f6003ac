import { randomUUID } from 'node:crypto';
import type { AuthorizedClient } from './authorized-client';
import { OPEN_OPERATIONS, type OperationId, type Operations, ROUTES } from './operations';
import { PortageError } from './portage-error';
import type { RetryPolicy } from './retry/retry-policy';
import type { Request, StreamedBody } from './transport/transport';

type Scalar = string | number | boolean;

/** The options of any operation. */
interface AnyOptions {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, Scalar | readonly Scalar[] | null | undefined>>;
  body?: unknown;
  text?: string;
  stream?: StreamedBody;
  receive?: Request['receive'];
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string | undefined>>;
  throwOnError?: boolean;
  retry?: Partial<RetryPolicy>;
  timeoutMs?: number;
}

/** The operations that add data. With a key, a retry after a lost response does not add twice. */
const OPERATIONS_WITH_KEY = /^POST \/v1\/data-import\/[^/]+\/create\/$/;

/** A class with a method for each operation. */
// oxlint-disable-next-line typescript/no-extraneous-class -- the type has its methods
export const OperationMethods = class {
  constructor(operations: Operations) {
    Object.assign(this, operations);
  }
} as new (operations: Operations) => Operations;

/** The operations, which send their requests with the client. */
export function createOperations(client: AuthorizedClient, defaultTimeoutMs: number): Operations {
  const operation =
    (id: OperationId) =>
    async (options: AnyOptions = {}) => {
      const [method, url] = ROUTES[id].split(' ') as [Request['method'], string];
      const { body, text, stream, receive, signal, timeoutMs = defaultTimeoutMs } = options;
      const response = await client[OPEN_OPERATIONS.has(id) ? 'sendWithoutToken' : 'send'](
        {
          method,
          path: fillPath(url, options.path).slice(1) + searchOf(options),
          headers: headersOf(id, options.headers),
          body: stream ?? text ?? (body === undefined ? undefined : JSON.stringify(body)),
          receive,
          signal,
          timeoutMs,
        },
        options.retry,
      );
      if (response.status >= 200 && response.status < 300)
        return { data: response.body ?? response.text, response };
      const error = new PortageError(response);
      if (options.throwOnError !== false) throw error;
      return { error, response };
    };
  const ids = Object.keys(ROUTES) as OperationId[];
  // The document describes the body of each status, and the service is tested against the document.
  return Object.fromEntries(ids.map((id) => [id, operation(id)])) as unknown as Operations;
}

function fillPath(url: string, values: AnyOptions['path'] = {}): string {
  return url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** A list is a parameter that is repeated. */
function searchOf({ query = {} }: AnyOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of [value ?? []].flat()) parameters.append(name, String(one));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function headersOf(id: OperationId, headers: AnyOptions['headers'] = {}): Record<string, string> {
  const given: Record<string, string> = {};
  if (id === 'uploadAccounts' || id === 'uploadAdditions') given['content-type'] = 'application/x-ndjson';
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given[name.toLowerCase()] = value;
  if (OPERATIONS_WITH_KEY.test(ROUTES[id])) given['idempotency-key'] ??= randomUUID();
  return given;
}
