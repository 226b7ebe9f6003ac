import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { fromJson } from './json';

/** The service gave no answer at all: refused, reset, timed out. The message is fit for a report. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface Request {
  method: 'GET' | 'POST';
  /** Below the base URL, without a leading slash. */
  path: string;
  authorization?: string;
  /** Names the request, so that sending it again is not doing it again. */
  idempotencyKey?: string;
  /** JSON text. */
  body?: string;
}

export interface Answer {
  status: number;
  /** Parsed JSON; undefined when the body is not JSON, e.g. a proxy's error page. */
  body: unknown;
  retryAfter: string | undefined;
  /** The answer that was given to the same Idempotency-Key before: nothing was done now. */
  replayed: boolean;
}

/**
 * Sends one request once, within a time limit that includes reading the answer, over connections that are kept.
 *
 * It stands on `node:http` rather than `fetch`, which takes more processor time than all the rest of this tool:
 * importer and service often share a machine. (And `fetch` would resolve an identifier `..` in a path.)
 */
export class Transport {
  private readonly request: typeof httpRequest;
  private readonly agent: HttpAgent;
  /** A base URL may have a path of its own, as in https://host/platform. */
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
        body: fromJson(await text(response)),
        retryAfter: response.headers['retry-after'],
        replayed: response.headers['idempotent-replayed'] === 'true',
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

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  // Node joins the failures of several addresses (IPv6, IPv4) in an error whose own message is empty.
  return error.message || ((error as NodeJS.ErrnoException).code ?? 'no answer');
}
