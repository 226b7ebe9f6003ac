import { basename } from 'node:path';

/** True in `npm run test:outages`. */
export const runsInFull = Boolean(process.env['OUTAGES_IN_FULL']);

/** Cases that other commands leave to `npm run test:outages`. */
export const itInFull = runsInFull ? it : it.skip;

/** Prints which suite leaves cases out, so that a skipped case is never silent. */
export function announceSkippedCases(): void {
  if (runsInFull) return;
  const { testPath = 'a suite' } = expect.getState();
  process.stderr.write(`SKIPPED: the long cases of ${basename(testPath)}. npm run test:outages runs them.\n`);
}
