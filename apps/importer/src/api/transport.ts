import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { parseJson } from './json';

/** The service did not respond: connection refused, reset or timed out. The message can be shown in a report. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** A request to the service. */
export interface Request {
  method: 'GET' | 'POST';
  /** Relative to the base URL, without a leading slash. */
  path: string;
  authorization?: string;
  /** Idempotency key, so that the service performs a repeated request only once. */
  idempotencyKey?: string;
  /** JSON text. */
  body?: string;
}

/** The response of the service. */
export interface Answer {
  status: number;
  /** Parsed JSON; undefined if the body is not JSON, such as a proxy's error page. */
  body: unknown;
  retryAfter: string | undefined;
  /** True if this is the stored response to an earlier request with the same idempotency key. */
  replayed: boolean;
  /** The header `Payload-Digest`: the digest of the payload that the service has accepted. */
  payloadDigest: string | undefined;
  /** Paths of undocumented fields, which the service ignores. */
  ignoredFields: string[];
}

/**
 * Sends a request once over keep-alive connections. The timeout includes reading the response.
 *
 * Uses `node:http` instead of `fetch`, which takes more CPU time than the rest of this tool; importer and service
 * often share a machine. `fetch` would also resolve an identifier `..` in a path.
 */
export class Transport {
  private readonly request: typeof httpRequest;
  private readonly agent: HttpAgent;
  /** The path of the base URL, as in https://host/platform. */
  private readonly basePath: string;

  constructor(
    private readonly baseUrl: URL,
    private readonly timeoutMs: number,
  ) {
    const secure = baseUrl.protocol === 'https:';
    this.request = secure ? httpsRequest : httpRequest;
    this.agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.basePath = baseUrl.pathname.replace(/\/*$/, '/');
  }

  /** @throws NoAnswer */
  async send(request: Request): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sending = this.request(
          this.baseUrl,
          {
            method: request.method,
            path: this.basePath + request.path,
            headers: headersOf(request),
            agent: this.agent,
          },
          resolve,
        );
        timer = setTimeout(() => {
          sending.destroy(new Error(`no answer within ${this.timeoutMs / 1000} s`));
        }, this.timeoutMs);
        sending.on('error', reject).end(request.body);
      });
      return {
        status: response.statusCode ?? 0,
        body: parseJson(await text(response)),
        retryAfter: response.headers['retry-after'],
        replayed: response.headers['idempotent-replayed'] === 'true',
        payloadDigest: textHeader(response, 'payload-digest'),
        ignoredFields: parseIgnoredFields(textHeader(response, 'ignored-fields')),
      };
    } catch (error) {
      throw new NoAnswer(reasonOf(error), { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

function headersOf({ authorization, idempotencyKey, body }: Request): Record<string, string | number> {
  return {
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
}

function textHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
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
