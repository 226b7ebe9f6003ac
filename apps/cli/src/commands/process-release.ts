import { PortageError } from '@portage/platform';
import { ReleaseSubmission } from '@portage/submissions';
import type { Command } from 'commander';
import { withApplication } from '../command';
import { withInterruption } from '../interruption';
import { createProgressBar } from '../progress-bar';
import { print } from '../standard-output';
import { refuseUnknown } from './submission-errors';
import { formatTally, type SteeringOptions, steerProcesses } from './process-steering';

interface ReleaseOptions extends Omit<SteeringOptions, 'supplier'> {
  supplier?: string;
  submission?: string;
  first?: string;
}

/** `process release`: processes of a supplier, or the accounts of a submission after their dry run. */
export async function releaseProcesses(
  { submission, first, ...selected }: ReleaseOptions,
  usage: Command,
): Promise<void> {
  const { supplier, json, ...selection } = selected;
  if (submission === undefined) {
    if (first !== undefined)
      throw new PortageError('operation_refused', '--first is the number of accounts of a --submission.');
    if (supplier === undefined)
      usage.error("error: required option '--supplier <code>' or '--submission <id>' not specified");
    await steerProcesses('release', { supplier, ...(json && { json }), ...selection });
    return;
  }
  if (supplier !== undefined || Object.keys(selection).length > 0)
    throw new PortageError(
      'operation_refused',
      '--submission selects its accounts after their dry run. It can be combined with --first only.',
    );
  if (first !== undefined && !/^[1-9]\d{0,8}$/.test(first))
    throw new PortageError('operation_refused', '--first must be a whole number from 1 to 999999999.');
  await releaseSubmission(submission, first === undefined ? undefined : Number(first), json ?? false);
}

/** Releases with a progress bar. The first Ctrl-C stops after the current batch, a second one at once. */
async function releaseSubmission(id: string, first: number | undefined, asJson: boolean): Promise<void> {
  const { tally, remaining } = await withApplication(async (app) => {
    const release = app.get(ReleaseSubmission);
    const waiting = await refuseUnknown(id, release.count(id));
    const bar = !asJson && process.stderr.isTTY ? createProgressBar('release', 'processes') : undefined;
    bar?.start(Math.min(waiting, first ?? waiting), 0);
    try {
      const released = await withInterruption(async (signal) =>
        release.run(id, first, signal, (count) => bar?.update(count)),
      );
      return { tally: released, remaining: await release.count(id) };
    } finally {
      bar?.stop();
    }
  });
  const { steered, skipped, isComplete } = tally;
  const left = `${remaining} accounts of the submission ${id} wait for their release.`;
  await print(
    asJson
      ? `${JSON.stringify({ released: steered, skipped, remaining }, undefined, 2)}\n`
      : `${formatTally('release', tally)}${left}\n`,
  );
  if (!isComplete)
    throw new PortageError(
      'operation_refused',
      `Stopped. ${steered} were released. Run the command again to continue.`,
    );
}
