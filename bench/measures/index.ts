import { endToEnd } from './end-to-end';
import type { Measure } from './measure';
import { validation } from './validation';

/** In the order in which they run, and stand in the results. */
export const measures: readonly Measure[] = [endToEnd, validation];
