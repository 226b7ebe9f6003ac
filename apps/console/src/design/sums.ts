export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sums of counts by their names. */
export function sumByName(
  counts: readonly Readonly<Record<string, number>>[],
): [name: string, sum: number][] {
  const names = new Set(counts.flatMap((one) => Object.keys(one)));
  return [...names].map((name) => [name, sum(counts.map((one) => one[name] ?? 0))]);
}
