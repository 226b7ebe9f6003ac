import { parseJson } from '../json';

/** The service did not respond: connection refused, reset or timed out. The message can be shown in a report. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Bytes of a body that is too long for one text. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** Produces a body from its beginning, once for each attempt. */
export type StreamedBody = () => ByteStream;

/** A request to the service. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL, without a leading slash, percent-encoded. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** JSON text, or a body that is sent while it is produced, as fast as the service reads it. */
  body?: string | StreamedBody;
  /** Reads the body of a successful answer while it arrives; `text` of the answer is then empty. */
  receive?: (bytes: ByteStream) => Promise<void>;
  /** Timeout of the attempt. With a streamed body or answer, the longest time without a byte. */
  timeoutMs: number;
  /** When aborted, the attempt fails at once. */
  signal?: AbortSignal;
}

/** The response of the service. */
export interface Answer {
  status: number;
  /** Response headers by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined if the body is not JSON, such as a proxy's error page. */
  body: unknown;
  text: string;
  retryAfter: string | undefined;
  /** True if this is the stored response to an earlier request with the same idempotency key. */
  replayed: boolean;
  /** The header `Payload-Digest`: the digest of the payload that the service has accepted. */
  payloadDigest: string | undefined;
  /** Paths of undocumented fields, which the service ignores. */
  ignoredFields: string[];
}

/** The path of a base URL such as `https://host/platform`, with a slash at its end. */
export function basePathOf(baseUrl: URL): string {
  return baseUrl.pathname.replace(/\/*$/, '/');
}

/** The headers of a request, with those that all requests have. */
export function headersOf({ headers = {}, body }: Request): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
}

/** Of one JSON value; lines of JSON have another type. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

/** Builds the answer from the parts of an HTTP response. */
export function parseAnswer(status: number, headers: Readonly<Record<string, string>>, text: string): Answer {
  return {
    status,
    headers,
    body: JSON_TYPE.test(headers['content-type'] ?? '') ? parseJson(text) : undefined,
    text,
    retryAfter: headers['retry-after'],
    replayed: headers['idempotent-replayed'] === 'true',
    payloadDigest: headers['payload-digest'],
    ignoredFields: parseIgnoredFields(headers['ignored-fields']),
  };
}

/** The error for a request whose sending failed, with the reason in its message. */
export function noAnswer(error: unknown): NoAnswer {
  return new NoAnswer(reasonOf(error), { cause: error });
}

/** True for statuses of successful answers. */
export function isSuccessful(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Passes bytes on and tells of each chunk. */
export async function* observed(bytes: ByteStream, onChunk: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onChunk();
    yield chunk;
  }
}

/** The error for a request that was given up after its timeout. */
export function timeoutError(timeoutMs: number): Error {
  return new Error(`no answer within ${timeoutMs / 1000} s`);
}

/** The header lists percent-encoded paths. A cut list ends with `...`. */
function parseIgnoredFields(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
    .map(decodePath);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  // Node wraps the failures of several addresses (IPv6, IPv4) in an error with an empty message.
  return error.message || ((error as NodeJS.ErrnoException).code ?? 'no answer');
}
