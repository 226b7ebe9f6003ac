const BARS = '▁▂▃▄▅▆▇█';

/** A row of bars, scaled to the highest number. A zero is a dot. */
export function sparkline(numbers: readonly number[]): string {
  // oxlint-disable-next-line portage/no-unbounded-spread -- a number for each column of a terminal
  const highest = Math.max(...numbers);
  return numbers
    .map((number) => (number > 0 ? (BARS[Math.ceil((number / highest) * BARS.length) - 1] as string) : '·'))
    .join('');
}
