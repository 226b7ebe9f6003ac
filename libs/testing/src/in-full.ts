import { basename } from 'node:path';

/** The commands that run a suite in full, by the folder of the suite. */
const COMMANDS = { outages: 'npm run test:outages', isolation: 'npm run test:isolation' };

const isSet = (variable: string) => Boolean(process.env[variable]);
/** True in a run of one of the commands, which sets the variable of its suites. */
export const runsInFull = isSet('OUTAGES_IN_FULL') || isSet('ISOLATION_IN_FULL');

/** Cases that other commands leave to `npm run test:outages` or `npm run test:isolation`. */
export const itInFull = runsInFull ? it : it.skip;

/** Prints which suite leaves cases out, so that a skipped case is never silent. */
export function announceSkippedCases(): void {
  if (runsInFull) return;
  const { testPath = 'a suite' } = expect.getState();
  const command = testPath.includes('/isolation/') ? COMMANDS.isolation : COMMANDS.outages;
  process.stderr.write(`SKIPPED: the long cases of ${basename(testPath)}. ${command} runs them.\n`);
}
