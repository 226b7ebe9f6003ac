import { Readable } from 'node:stream';
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
  method: 'GET' | 'POST' | 'DELETE';
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

/** Sends requests with `fetch`. */
export class Transport {
  private readonly base: string;

  constructor(
    baseUrl: URL,
    private readonly fetch = globalThis.fetch,
  ) {
    this.base = baseUrl.origin + baseUrl.pathname.replace(/\/*$/, '/');
  }

  /**
   * Sends a request once.
   *
   * @throws NoAnswer if the complete response has not arrived within the timeout of the request
   */
  async send(request: Request): Promise<Answer> {
    const { method, path, body, receive, timeoutMs, signal } = request;
    const attempt = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        attempt.abort(new Error(`no answer within ${timeoutMs / 1000} s`));
      }, timeoutMs);
    };
    restartTimer();
    try {
      const response = await this.fetch(this.base + path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(typeof body === 'function' ? streamed(body(), restartTimer, attempt.signal) : { body }),
        signal: signal ? AbortSignal.any([signal, attempt.signal]) : attempt.signal,
        redirect: 'manual',
      });
      const headers = Object.fromEntries(response.headers);
      if (receive === undefined || response.body === null || !response.ok)
        return parseAnswer(response.status, headers, await response.text());
      await receive(observed(response.body, restartTimer));
      return parseAnswer(response.status, headers, '');
    } catch (error) {
      throw new NoAnswer(reasonOf(error), { cause: error });
    } finally {
      clearTimeout(timer);
      // Ends a body of which the service has not read the rest.
      attempt.abort();
    }
  }
}

/** `fetch` sends a stream only with `duplex`, which its types do not have, and reads it further after the answer. */
function streamed(
  bytes: ByteStream,
  onChunk: () => void,
  end: AbortSignal,
): RequestInit & { duplex: 'half' } {
  return { body: Readable.toWeb(Readable.from(observed(bytes, onChunk, end))), duplex: 'half' };
}

/** Passes bytes on and tells of each chunk, until `end` is aborted. */
async function* observed(
  bytes: ByteStream,
  onChunk: () => void,
  end?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (end?.aborted === true) return;
    onChunk();
    yield chunk;
  }
}

/** Builds the answer from the parts of an HTTP response. */
function parseAnswer(status: number, headers: Readonly<Record<string, string>>, text: string): Answer {
  return {
    status,
    headers,
    body: parseJson(text),
    text,
    retryAfter: headers['retry-after'],
    replayed: headers['idempotent-replayed'] === 'true',
    payloadDigest: headers['payload-digest'],
    ignoredFields: parseIgnoredFields(headers['ignored-fields']),
  };
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
  // fetch reports "fetch failed" and wraps the reason.
  const reason = error.cause instanceof Error ? error.cause : error;
  // Node wraps the failures of several addresses (IPv6, IPv4) in an error with an empty message.
  return reason.message || ((reason as NodeJS.ErrnoException).code ?? 'no answer');
}
