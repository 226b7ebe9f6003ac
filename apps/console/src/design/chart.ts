import { formatCount, formatDuration } from './format';

/** Values of one moment: seconds since the epoch, then one value a series. */
export type Point = readonly [seconds: number, ...values: (number | null)[]];

/** How an axis is labelled: the distances that its labels may have, of which no two are written alike. */
export interface Scale {
  format: (value: number) => string;
  steps: readonly number[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Whole numbers. */
export const COUNTS: Scale = {
  format: formatCount,
  steps: Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat(),
};

/** Milliseconds. */
export const DURATIONS: Scale = {
  format: formatDuration,
  steps: [
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
    ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
    ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
    ...[1, 2, 5, 10, 24, 48, 120, 240].map((hours) => hours * HOUR),
  ],
};

/** The range of the axis of values: from 0 to a little above the highest one. */
export const rangeOf = (highest: number): [number, number] => [0, highest > 0 ? highest * 1.1 : 1];

/** The places of values without a neighbour, which a line does not show. */
export function isolatedValues(values: readonly (number | null | undefined)[]): number[] {
  const has = (index: number) => values[index] !== null && values[index] !== undefined;
  return [...values.keys()].filter((index) => has(index) && !has(index - 1) && !has(index + 1));
}

/** True if nothing has happened: no point has a value other than 0. */
export const isEmptyChart = (points: readonly Point[]): boolean =>
  points.every(([, ...values]) => values.every((value) => value === null || value === 0));
