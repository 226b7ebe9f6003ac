import { once } from 'node:events';
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import {
  type Answer,
  basePathOf,
  type ByteStream,
  headersOf,
  isSuccessful,
  noAnswer,
  observed,
  parseAnswer,
  type Request,
  timeoutError,
} from './transport';

/**
 * Sends requests over keep-alive connections.
 *
 * Uses `node:http` instead of `fetch`, which takes more CPU time than the rest of the importer; importer and service
 * often share a machine. `fetch` would also resolve an identifier `..` in a path.
 */
export class NodeTransport {
  private readonly request: typeof httpRequest;
  private readonly agent: HttpAgent;
  private readonly basePath: string;

  constructor(
    private readonly baseUrl: URL,
    agent?: HttpAgent,
  ) {
    const secure = baseUrl.protocol === 'https:';
    this.request = secure ? httpsRequest : httpRequest;
    this.agent = agent ?? (secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true }));
    this.basePath = basePathOf(baseUrl);
  }

  /**
   * Sends a request once.
   *
   * @throws NoAnswer if the complete response has not arrived within the timeout of the request
   */
  async send(request: Request): Promise<Answer> {
    const { body, receive, timeoutMs } = request;
    const attempt = new Attempt(timeoutMs, request.signal);
    try {
      const response = await attempt.send(this.start(request), body);
      const status = response.statusCode ?? 0;
      if (receive === undefined || !isSuccessful(status))
        return parseAnswer(status, headersFrom(response), await text(response));
      await receive(
        observed(response as ByteStream, () => {
          attempt.restartTimer();
        }),
      );
      return parseAnswer(status, headersFrom(response), '');
    } catch (error) {
      throw noAnswer(error);
    } finally {
      attempt.end();
    }
  }

  private start(request: Request): ClientRequest {
    const { method, path, body } = request;
    // A streamed body is chunked.
    const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {};
    const options: RequestOptions = {
      method,
      path: this.basePath + path,
      headers: { ...headersOf(request), ...length },
      agent: this.agent,
    };
    return this.request(this.baseUrl, options);
  }
}

/** One request in flight: its timeout, and the end of its body when the service answers before it. */
class Attempt {
  private timer: NodeJS.Timeout | undefined;
  private sending: ClientRequest | undefined;
  private readonly answered = new AbortController();
  private isOver = false;

  constructor(
    private readonly timeoutMs: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async send(sending: ClientRequest, body: Request['body']): Promise<IncomingMessage> {
    this.sending = sending;
    this.restartTimer();
    return new Promise<IncomingMessage>((resolve, reject) => {
      sending.once('response', (response) => {
        this.answered.abort();
        resolve(response);
      });
      sending.on('error', (error) => {
        this.answered.abort();
        reject(error);
      });
      this.signal?.addEventListener('abort', this.abort);
      if (this.signal?.aborted === true) this.abort();
      else if (typeof body === 'function') this.write(sending, body()).catch(reject);
      else sending.end(body);
    });
  }

  /** The body may still be read when the attempt has ended. A timer that is set then would keep the process alive. */
  restartTimer(): void {
    if (this.isOver) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.sending?.destroy(timeoutError(this.timeoutMs));
    }, this.timeoutMs);
  }

  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.abort);
    // The connection cannot be used again while a part of the body is missing.
    if (this.sending?.writableEnded === false) this.sending.destroy();
  }

  /** Writes a body as fast as the service reads it, until it has answered. */
  private async write(sending: ClientRequest, bytes: ByteStream): Promise<void> {
    const { signal } = this.answered;
    for await (const chunk of bytes) {
      if (signal.aborted) return;
      if (!sending.write(chunk))
        await once(sending, 'drain', { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      this.restartTimer();
    }
    if (!signal.aborted) sending.end();
  }

  private readonly abort = (): void => {
    const reason: unknown = this.signal?.reason;
    this.sending?.destroy(reason instanceof Error ? reason : new Error('stopped'));
  };
}

function headersFrom({ headers }: IncomingMessage): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  return joined;
}
