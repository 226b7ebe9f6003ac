import { basename } from 'node:path';

const runsInFull = Boolean(process.env['FAULTS_IN_FULL']);

/** Cases that `npm test` leaves to `npm run test:faults`. */
export const itInFull = runsInFull ? it : it.skip;

/** Prints which suite leaves cases out, so that a skipped case is never silent. */
export function announceSkippedCases(): void {
  if (runsInFull) return;
  const suite = basename(expect.getState().testPath ?? 'a suite');
  process.stderr.write(`SKIPPED: the long cases of ${suite}. npm run test:faults runs them.\n`);
}
