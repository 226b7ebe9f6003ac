import { Readable } from 'node:stream';
import {
  type Answer,
  basePathOf,
  headersOf,
  isSuccessful,
  noAnswer,
  observed,
  parseAnswer,
  type Request,
  timeoutError,
  type Transport,
} from './transport';

/** Sends requests with a `fetch` function that the program supplies, for example one that uses a proxy. */
export class FetchTransport implements Transport {
  private readonly base: string;

  constructor(
    baseUrl: URL,
    private readonly fetch: typeof globalThis.fetch,
  ) {
    this.base = baseUrl.origin + basePathOf(baseUrl);
  }

  async send(request: Request): Promise<Answer> {
    const { method, path, receive, timeoutMs, signal } = request;
    const aborter = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const restartTimer = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        aborter.abort(timeoutError(timeoutMs));
      }, timeoutMs);
    };
    const abort = () => {
      aborter.abort(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
    restartTimer();
    try {
      const response = await this.fetch(this.base + path, {
        method,
        headers: headersOf(request),
        ...bodyOf(request, restartTimer),
        signal: aborter.signal,
        redirect: 'manual',
      });
      const { status, headers, body } = response;
      if (receive === undefined || body === null || !isSuccessful(status))
        return parseAnswer(status, Object.fromEntries(headers), await response.text());
      await receive(observed(body, restartTimer));
      return parseAnswer(status, Object.fromEntries(headers), '');
    } catch (error) {
      throw noAnswer(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/** `fetch` sends a stream only with `duplex`, which the types do not have. */
function bodyOf({ body }: Request, onChunk: () => void): RequestInit & { duplex?: 'half' } {
  if (typeof body !== 'function') return { body };
  const stream = Readable.toWeb(Readable.from(observed(body(), onChunk)));
  return { body: stream, duplex: 'half' };
}
