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

/** Runs `request` one after another and measures each. */
export async function measure(count: number, request: () => Promise<void>): Promise<number[]> {
  const measured: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await request();
    measured.push(performance.now() - start);
  }
  return measured;
}

/** One line of the table: a victim's requests alone and under an attack. */
export interface Row {
  backend: string;
  attack: string;
  request: string;
  alone: Latencies;
  attacked: Latencies;
  /** The first request after the attacker was alone, in milliseconds. It is not in `attacked`. */
  first: number;
}

const format = (milliseconds: number) =>
  milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);

/** How many times as long the slowest requests take under attack. */
export function ratioOf({ alone, attacked }: Row, share: number): number {
  return attacked.quantile(share) / alone.quantile(share);
}

/** The rows as a Markdown table, with the median and this quantile of the latencies. */
export function toTable(rows: readonly Row[], share: number): string {
  const name = `p${Math.round(share * 100)}`;
  const pair = (latencies: Latencies) =>
    `${format(latencies.quantile(0.5))}, ${format(latencies.quantile(share))}`;
  return [
    `| queue in | one supplier sends | another sends | alone: median, ${name} (ms) | under attack: median, ${name} (ms) | times (${name}) | first one (ms) |`,
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) =>
      [
        `| ${row.backend}`,
        row.attack,
        row.request,
        pair(row.alone),
        pair(row.attacked),
        ratioOf(row, share).toFixed(1),
        `${format(row.first)} |`,
      ].join(' | '),
    ),
  ].join('\n');
}
