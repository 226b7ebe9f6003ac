import { randomUUID } from 'node:crypto';
import type { AuthorizedClient, FinalAnswer } from './authorized-client';
import { PortageError } from './portage-error';
import type { RetryPolicy } from './retry/retry-policy';
import type { Request, StreamedBody } from './transport/transport';

/** The parts of a request to an operation, as the generator describes them. */
export interface TDataShape {
  body?: unknown;
  headers?: unknown;
  path?: unknown;
  query?: unknown;
  url: string;
}

/** Options that all operations have. */
interface CallOptions<ThrowOnError extends boolean> {
  /** False: a refusal is the member `error` of the result instead of an exception. */
  throwOnError?: ThrowOnError;
  /** Limits of the retries of this request that differ from those of the client. */
  retry?: Partial<RetryPolicy>;
  /** Timeout of one attempt. */
  timeoutMs?: number;
  /** A query string, such as `?a=1`, instead of `query`. */
  search?: string;
  headers?: Readonly<Record<string, string | undefined>>;
  /** Reads the body of a successful response while it arrives; `data` is then empty. Called again when it is retried. */
  receive?: Request['receive'];
  /** When aborted, the attempt in progress fails at once. The signal of the client says whether it is retried. */
  signal?: AbortSignal;
}

/**
 * The body as an object; or as JSON text, which is sent unchanged; or as a stream, which is sent while it is produced,
 * and begun again for each attempt.
 */
type BodyOptions<TData> = TData extends { body: infer Body }
  ? | { body: Body; text?: undefined; stream?: undefined }
    | { text: string; body?: undefined; stream?: undefined }
    | { stream: StreamedBody; body?: undefined; text?: undefined }
  : unknown;

/** The options of an operation. */
export type Options<
  TData extends TDataShape = TDataShape,
  ThrowOnError extends boolean = boolean,
  _TResponse = unknown,
> = CallOptions<ThrowOnError> & Omit<TData, 'body' | 'url'> & BodyOptions<TData>;

/** An operation that was successful. */
export interface Success<Data> {
  /** The body of the response. */
  data: Data;
  error?: undefined;
  response: FinalAnswer;
}

/** An operation that the service refused. */
export interface Failure<Body> {
  data?: undefined;
  error: PortageError<Body>;
  response: FinalAnswer;
}

/** The result of an operation whose responses and errors are given by status. */
export type OperationResult<Responses, Errors, ThrowOnError extends boolean> = ThrowOnError extends true
  ? Success<Responses[keyof Responses]>
  : Success<Responses[keyof Responses]> | Failure<Errors[keyof Errors]>;

/** What the generated operations pass. */
interface OperationRequest {
  url: string;
  path?: unknown;
  query?: unknown;
  search?: string;
  body?: unknown;
  text?: string | undefined;
  stream?: StreamedBody | undefined;
  receive?: Request['receive'];
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string | undefined>>;
  security?: readonly unknown[];
  throwOnError?: boolean;
  retry?: Partial<RetryPolicy>;
  timeoutMs?: number;
}

type Method = <Responses, Errors, ThrowOnError extends boolean = true>(
  request: OperationRequest,
) => Promise<OperationResult<Responses, Errors, ThrowOnError>>;

/** What the generated operations call; the generator is configured with the name of this module. */
export interface Client {
  get: Method;
  post: Method;
  delete: Method;
}

/** The operations that add data. With a key, a retry after a lost response does not add twice. */
const PATHS_WITH_KEY = /^\/v1\/data-import\/[^/]+\/create\/$/;

/** Sends the requests of the generated operations. */
export function createOperationClient(client: AuthorizedClient, timeoutMs: number): Client {
  const call =
    (method: Request['method']): Method =>
    async <Responses, Errors, ThrowOnError extends boolean>(request: OperationRequest) => {
      const { body, text, stream, security, receive, signal } = request;
      const isGuarded = security?.some((scheme) => isTokenScheme(scheme)) === true;
      const response = await client[isGuarded ? 'send' : 'sendWithoutToken'](
        {
          method,
          path: fillPath(request.url, request.path).slice(1) + searchOf(request),
          headers: headersOf(method, request),
          body: stream ?? text ?? (body === undefined ? undefined : JSON.stringify(body)),
          receive,
          signal,
          timeoutMs: request.timeoutMs ?? timeoutMs,
        },
        request.retry,
      );
      // The document describes the body of each status, and the service is tested against the document.
      type Result = OperationResult<Responses, Errors, ThrowOnError>;
      if (response.status >= 200 && response.status < 300)
        return { data: response.body ?? response.text, response } as Result;
      const error = new PortageError<Errors[keyof Errors]>(response);
      if (request.throwOnError !== false) throw error;
      return { error, response } as Result;
    };
  return { get: call('GET'), post: call('POST'), delete: call('DELETE') };
}

function isTokenScheme(scheme: unknown): boolean {
  return (scheme as { type?: string }).type === 'apiKey';
}

function fillPath(url: string, path: unknown): string {
  const values = (path ?? {}) as Record<string, unknown>;
  return url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** A list is a parameter that is repeated. */
function searchOf({ query, search }: OperationRequest): string {
  if (search !== undefined || !query) return search ?? '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== undefined && one !== null) parameters.append(name, String(one));
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function headersOf(method: string, { url, headers = {} }: OperationRequest): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given[name.toLowerCase()] = value;
  if (method === 'POST' && PATHS_WITH_KEY.test(url)) given['idempotency-key'] ??= randomUUID();
  return given;
}
