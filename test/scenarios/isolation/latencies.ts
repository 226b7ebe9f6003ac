import type { Figures } from '../scenario';

/** The latencies of one kind of request, in milliseconds. */
export class Latencies {
  private readonly sorted: readonly number[];

  constructor(measured: readonly number[]) {
    this.sorted = measured.toSorted((left, right) => left - right);
  }

  /** @param share from 0 to 1 */
  quantile(share: number): number {
    return this.sorted[Math.max(0, Math.ceil(share * this.sorted.length) - 1)] ?? NaN;
  }
}

/** How often a request is measured. */
interface SampleSize {
  /** Requests at least. */
  samples: number;
  /** Time in which further requests are measured. Otherwise few pauses of the machine decide about fast requests. */
  minMs: number;
}

const MAX_SAMPLES = 2_000;

/** Runs `request` one after another and measures each. */
export async function measure(
  { samples, minMs }: SampleSize,
  request: () => Promise<void>,
): Promise<number[]> {
  const measured: number[] = [];
  const startedAt = performance.now();
  const isEnough = () =>
    measured.length >= samples && (measured.length >= MAX_SAMPLES || performance.now() - startedAt >= minMs);
  while (!isEnough()) {
    const start = performance.now();
    await request();
    measured.push(performance.now() - start);
  }
  return measured;
}

/** One line of the table: a victim's requests alone and under an attack. */
export interface Row {
  attack: string;
  request: string;
  alone: Latencies;
  /** During the same attack on another installation on the same machine. Measured in the full run only. */
  beside: Latencies | undefined;
  attacked: Latencies;
  /** The first request after the attacker was alone, in milliseconds. It is not in `attacked`. */
  first: number;
}

const format = (milliseconds: number) =>
  milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);

/** The limits of a victim's latency under attack. */
export interface LatencyLimits {
  /** The quantile that is compared. */
  share: number;
  /** How many times as long as alone. */
  timesAlone: number;
  /** How many times as long as during an attack on another installation, which only shares the machine. */
  timesBeside: number;
  /** Requests below this pass in any case. */
  fastMs: number;
}

/** The latency that the slowest requests may have under attack, in milliseconds. */
export function allowedMs(
  { alone, beside }: Pick<Row, 'alone' | 'beside'>,
  { share, timesAlone, timesBeside, fastMs }: LatencyLimits,
): number {
  return Math.max(
    fastMs,
    timesAlone * alone.quantile(share),
    beside ? timesBeside * beside.quantile(share) : 0,
  );
}

/** A row of the table, with the median and the compared quantile of the latencies. */
export function figuresOf(row: Row, limits: LatencyLimits): Figures {
  const { share } = limits;
  const name = `p${Math.round(share * 100)}`;
  const pair = (latencies: Latencies | undefined) =>
    latencies ? `${format(latencies.quantile(0.5))}, ${format(latencies.quantile(share))}` : '';
  return {
    'one supplier sends': row.attack,
    'another sends': row.request,
    [`alone: median, ${name} (ms)`]: pair(row.alone),
    [`beside an attacked installation: median, ${name} (ms)`]: pair(row.beside),
    [`under attack: median, ${name} (ms)`]: pair(row.attacked),
    [`allowed ${name} (ms)`]: format(allowedMs(row, limits)),
    'first one (ms)': format(row.first),
  };
}
