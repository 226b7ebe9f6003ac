import fc from 'fast-check';
import type { BillingCycle } from '../src/statements/billing-cycle';

/** Any cycle of one month to four years, often starting on a day that short months do not have. */
export const anyCycle: fc.Arbitrary<BillingCycle> = fc
  .record({
    months: fc.constantFrom(1, 1, 2, 3, 3, 4, 5, 6, 7, 12, 24, 48),
    startDay: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(1, 28, 29, 30, 31)),
    phase: fc.nat(47),
  })
  .map((cycle) => ({ ...cycle, phase: cycle.phase % cycle.months }));
