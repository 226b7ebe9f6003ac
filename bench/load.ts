import { type Dispatcher, Pool } from 'undici';
import { type Latencies, latencies } from './statistics';

interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: Buffer | string;
}

export interface LoadResult {
  /** The number of responses by status. */
  readonly responses: Readonly<Record<number, number>>;
  /** The first response with a status of 400 or above, for error messages. */
  readonly refusal: string | undefined;
  readonly seconds: number;
  readonly perSecond: number;
  /** In milliseconds. */
  readonly latency: Latencies;
}

/** Maximum wait for one response. */
const RESPONSE_TIMEOUT_MS = 60_000;

interface Tally {
  responses: Record<number, number>;
  refusal: string | undefined;
  milliseconds: number[];
}

/** Sends requests over keep-alive connections. It does little work, because it shares the CPU with the measured program. */
export class LoadGenerator {
  private readonly pool: Pool;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    baseUrl: string,
    private readonly connections: number,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.pool = new Pool(baseUrl, {
      connections,
      pipelining: 1,
      headersTimeout: RESPONSE_TIMEOUT_MS,
      bodyTimeout: RESPONSE_TIMEOUT_MS,
    });
    this.headers = { 'content-type': 'application/json', ...headers };
  }

  /** Sends the requests as fast as possible. Each connection sends its next request after the response. */
  async send(requests: Iterable<LoadRequest>): Promise<LoadResult> {
    const next = requests[Symbol.iterator]();
    const tally: Tally = { responses: {}, refusal: undefined, milliseconds: [] };
    const start = performance.now();
    const connection = async () => {
      for (let request = next.next(); !request.done; request = next.next())
        await this.dispatch(request.value, performance.now(), tally);
    };
    await Promise.all(Array.from({ length: this.connections }, connection));
    return result(tally, performance.now() - start);
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async dispatch(request: LoadRequest, since: number, tally: Tally): Promise<void> {
    return new Promise((resolve, reject) => {
      let status = 0;
      let refusal = '';
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => {
          if (status >= 400 && tally.refusal === undefined) refusal += chunk.toString();
        },
        onResponseEnd: () => {
          tally.milliseconds.push(performance.now() - since);
          tally.responses[status] = (tally.responses[status] ?? 0) + 1;
          if (status >= 400) tally.refusal ??= `${request.method} ${request.path}: ${status} ${refusal}`;
          resolve();
        },
        onResponseError: (_controller, error) => {
          reject(error);
        },
      };
      this.pool.dispatch({ ...request, body: request.body ?? null, headers: this.headers }, handler);
    });
  }
}

/** Yields the requests that `make` returns until the time is over. */
export function* requestsFor(seconds: number, make: (nth: number) => LoadRequest): Generator<LoadRequest> {
  const end = performance.now() + seconds * 1_000;
  for (let nth = 0; performance.now() < end; nth += 1) yield make(nth);
}

/** @throws Error with the first refusal if any response has another status */
export function requireStatus(status: number, load: LoadResult): LoadResult {
  const others = Object.keys(load.responses).filter((one) => Number(one) !== status);
  if (others.length === 0) return load;
  throw new Error(`Expected ${status} only, got ${JSON.stringify(load.responses)}. ${load.refusal ?? ''}`);
}

function result({ responses, refusal, milliseconds }: Tally, durationMs: number): LoadResult {
  const seconds = durationMs / 1_000;
  return {
    responses,
    refusal,
    seconds,
    perSecond: milliseconds.length / seconds,
    latency: latencies(milliseconds),
  };
}
