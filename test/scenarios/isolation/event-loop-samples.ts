import { readFileSync } from 'node:fs';

/** How the event loop was delayed, in milliseconds. */
export interface Delays {
  samples: number;
  /** The delays that the process has caused itself: the CPU time of its main thread. */
  p99: number;
  p999: number;
  max: number;
  /** The same by the clock, with the time in which a busy machine had no CPU for the process. */
  p999ByClock: number;
  maxByClock: number;
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

/** The delays that `event-loop-probe.cjs` has measured between two moments (milliseconds since 1970). */
export function readDelays(file: string, from: number, to: number): Delays {
  const samples = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as [at: number, delay: number, cpu: number])
    .filter(([at]) => at >= from && at <= to);
  const sorted = (delayOf: (delay: number, cpu: number) => number) =>
    samples.map(([, delay, cpu]) => delayOf(delay, cpu)).sort((left, right) => left - right);
  const own = sorted((delay, cpu) => Math.min(delay, cpu));
  const byClock = sorted((delay) => delay);
  return {
    samples: samples.length,
    p99: quantile(own, 0.99),
    p999: quantile(own, 0.999),
    max: quantile(own, 1),
    p999ByClock: quantile(byClock, 0.999),
    maxByClock: quantile(byClock, 1),
  };
}
