/** The latencies of one kind of request, in milliseconds. */
export interface Latencies {
  median: number;
  p99: number;
}

/** Runs `request` one after another and measures each. */
export async function measure(count: number, request: () => Promise<void>): Promise<Latencies> {
  const measured: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await request();
    measured.push(performance.now() - start);
  }
  const sorted = measured.toSorted((left, right) => left - right);
  const quantile = (share: number) => sorted[Math.min(count - 1, Math.ceil(share * count) - 1)]!;
  return { median: quantile(0.5), p99: quantile(0.99) };
}

/** One line of the table: a victim's requests alone and under an attack. */
export interface Row {
  backend: string;
  attack: string;
  request: string;
  alone: Latencies;
  attacked: Latencies;
}

const milliseconds = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** The rows as a Markdown table. */
export function toTable(rows: readonly Row[]): string {
  return [
    '| queue in | attack of one supplier | request of another | alone: median, p99 (ms) | under attack: median, p99 (ms) | p99, times |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ backend, attack, request, alone, attacked }) =>
      [
        `| ${backend}`,
        attack,
        request,
        `${milliseconds(alone.median)}, ${milliseconds(alone.p99)}`,
        `${milliseconds(attacked.median)}, ${milliseconds(attacked.p99)}`,
        `${(attacked.p99 / alone.p99).toFixed(1)} |`,
      ].join(' | '),
    ),
  ].join('\n');
}
