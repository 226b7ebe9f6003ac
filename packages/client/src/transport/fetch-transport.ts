import {
  type Answer,
  basePathOf,
  headersOf,
  noAnswer,
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
    const { method, path, body, timeoutMs } = request;
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      aborter.abort(timeoutError(timeoutMs));
    }, timeoutMs);
    try {
      const response = await this.fetch(this.base + path, {
        method,
        headers: headersOf(request),
        body,
        signal: aborter.signal,
        redirect: 'manual',
      });
      return parseAnswer(response.status, Object.fromEntries(response.headers), await response.text());
    } catch (error) {
      throw noAnswer(error);
    } finally {
      clearTimeout(timer);
    }
  }
}
