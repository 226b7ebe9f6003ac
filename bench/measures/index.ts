import { afterImport } from './after-import';
import { endToEnd } from './end-to-end';
import { floor } from './floor';
import type { Measure } from './measure';
import { validation } from './validation';

/** All measures in the order of their execution and of their sections in the results. */
export const measures: readonly Measure[] = [endToEnd, afterImport, validation, floor];
