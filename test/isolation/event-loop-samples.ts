import { readFileSync } from 'node:fs';

/** How the event loop was delayed, in milliseconds. */
export interface Delays {
  samples: number;
  p999: number;
  max: number;
  /** The longest delay by the clock, with the time in which the thread had no CPU. */
  maxByClock: number;
}

/** The delays that `event-loop-probe.cjs` has measured between two moments (milliseconds since 1970). */
export function readDelays(file: string, from: number, to: number): Delays {
  const samples = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as [at: number, delay: number, waitedForCpu: number])
    .filter(([at]) => at >= from && at <= to);
  const own = samples
    .map(([, delay, waitedForCpu]) => Math.max(0, delay - waitedForCpu))
    .sort((left, right) => left - right);
  return {
    samples: own.length,
    p999: own[Math.ceil(own.length * 0.999) - 1] ?? 0,
    max: own.at(-1) ?? 0,
    maxByClock: Math.max(0, ...samples.map(([, delay]) => delay)),
  };
}
