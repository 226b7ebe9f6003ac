import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { type Latencies, latencies } from './statistics';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: Buffer | string;
}

export interface LoadResult {
  /** How many answers there were of each status. */
  readonly answers: Readonly<Record<number, number>>;
  /** The first answer of status 400 or more, for whoever has to find out why. */
  readonly refusal: string | undefined;
  readonly seconds: number;
  readonly perSecond: number;
  /** In milliseconds. */
  readonly latency: Latencies;
}

/** Longest wait for one answer. */
const PATIENCE_MS = 60_000;

interface Tally {
  answers: Record<number, number>;
  refusal: string | undefined;
  milliseconds: number[];
}

/** Sends requests over connections that are kept open. It shares the processors with what it measures, so it does little. */
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
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    });
    this.headers = { 'content-type': 'application/json', ...headers };
  }

  /** Sends the requests as fast as they are answered: each connection its next one after the answer. */
  async send(requests: Iterable<LoadRequest>): Promise<LoadResult> {
    const next = requests[Symbol.iterator]();
    const tally: Tally = { answers: {}, refusal: undefined, milliseconds: [] };
    const start = performance.now();
    const connection = async () => {
      for (let given = next.next(); !given.done; given = next.next())
        await this.ask(given.value, performance.now(), tally);
    };
    await Promise.all(Array.from({ length: this.connections }, connection));
    return result(tally, performance.now() - start);
  }

  /** Sends so many requests a second, whatever the answers do; time waited for a free connection counts as latency. */
  async sendAtRate(requests: Iterable<LoadRequest>, perSecond: number): Promise<LoadResult> {
    const tally: Tally = { answers: {}, refusal: undefined, milliseconds: [] };
    const asked: Promise<void>[] = [];
    const start = performance.now();
    for (const request of requests) {
      const due = start + (asked.length * 1_000) / perSecond;
      while (performance.now() < due) await sleep(1);
      asked.push(this.ask(request, due, tally));
    }
    await Promise.all(asked);
    return result(tally, performance.now() - start);
  }

  /**
   * Reads one long answer as fast as it comes.
   *
   * @param look is handed each part of it
   * @throws Error when the answer has another status than 200, or breaks off
   */
  async read(path: string, look: (part: Buffer) => void): Promise<{ firstByteMs: number; seconds: number }> {
    const start = performance.now();
    let firstByteMs = NaN;
    const { statusCode, body } = await this.pool.request({ method: 'GET', path, headers: this.headers });
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${await body.text()}`);
    for await (const part of body) {
      if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - start;
      look(part as Buffer);
    }
    return { firstByteMs, seconds: (performance.now() - start) / 1_000 };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async ask(request: LoadRequest, since: number, tally: Tally): Promise<void> {
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
          tally.answers[status] = (tally.answers[status] ?? 0) + 1;
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

/** The requests that `make` returns, one after the other, until the time is up. */
export function* during(seconds: number, make: (nth: number) => LoadRequest): Generator<LoadRequest> {
  const end = performance.now() + seconds * 1_000;
  for (let nth = 0; performance.now() < end; nth += 1) yield make(nth);
}

/** @throws Error with the first refusal when there was any other answer */
export function onlyAnswered(status: number, load: LoadResult): LoadResult {
  const others = Object.keys(load.answers).filter((one) => Number(one) !== status);
  if (others.length === 0) return load;
  throw new Error(`Expected ${status} only, got ${JSON.stringify(load.answers)}. ${load.refusal ?? ''}`);
}

function result({ answers, refusal, milliseconds }: Tally, took: number): LoadResult {
  const seconds = took / 1_000;
  return {
    answers,
    refusal,
    seconds,
    perSecond: milliseconds.length / seconds,
    latency: latencies(milliseconds),
  };
}
