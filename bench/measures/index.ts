import type { Measure } from './measure';

/** All measures in the order of their execution and of their sections in the results. */
export const measures: readonly Measure[] = [];
