import type { INestApplicationContext } from '@nestjs/common';
import { PortageError } from '@portage/platform';
import { escapeForLine } from '@portage/text';
import { type LeftAccount, RollBackSubmission, type RollbackTally } from '@portage/submissions';
import { withApplication } from '../command';
import { confirmText } from '../confirmation';
import { withInterruption } from '../interruption';
import { createProgressBar } from '../progress-bar';
import { print } from '../standard-output';
import { refuseUnknown } from './submission-errors';

interface RollbackOptions {
  dryRun?: true;
  yes?: true;
  json?: true;
}

const EXPLANATIONS: Record<LeftAccount['reason'], string> = {
  has_requests: 'requests were made about them after their import',
  corrected: 'they were corrected since, but not by this submission',
  welcome_email_sent: 'their customers got the welcome e-mail',
  erased: 'their data was erased',
  missing: 'their rows are missing in the database; see: submission reconcile',
};

/**
 * `submission rollback`. Asks for confirmation unless `--yes` or `--dry-run` is given, because accounts are deleted.
 * Accounts that are left alone are printed as they are found.
 */
export async function rollBackSubmission(id: string, options: RollbackOptions): Promise<void> {
  const isDryRun = options.dryRun ?? false;
  const left: LeftAccount[] = [];
  const tally = await withApplication(async (app) => {
    const count = await refuseUnknown(id, app.get(RollBackSubmission).count(id));
    if (!isDryRun && !options.yes && count > 0)
      await confirmText(
        `Up to ${count} accounts of the submission ${id} will be deleted.`,
        'its id',
        id,
        'Nothing was deleted.',
      );
    return run(app, id, count, isDryRun, async (batch) => {
      if (options.json) for (const account of batch) left.push(account);
      else if (batch.length > 0) await print(batch.map(formatLeft).join(''));
    });
  });
  const { rolledBack, isComplete } = tally;
  const json = {
    submission: id,
    is_dry_run: isDryRun,
    rolled_back: rolledBack,
    left: tally.left,
    is_complete: isComplete,
    accounts_left: left.map(({ externalAccountNumber, accountNumber, reason }) => ({
      external_account_number: externalAccountNumber,
      platform_account_number: accountNumber,
      reason,
    })),
  };
  await print(options.json ? `${JSON.stringify(json, undefined, 2)}\n` : formatTally(tally, isDryRun));
  if (!isComplete) throw new PortageError('operation_refused', 'Stopped. Run the command again to continue.');
}

/** Rolls back with a progress bar. The first Ctrl-C stops after the current batch, a second one at once. */
async function run(
  app: INestApplicationContext,
  id: string,
  count: number,
  isDryRun: boolean,
  onLeft: (left: readonly LeftAccount[]) => Promise<void>,
): Promise<RollbackTally> {
  const bar = process.stderr.isTTY ? createProgressBar('rollback', 'accounts') : undefined;
  bar?.start(count, 0);
  try {
    return await withInterruption(async (signal) =>
      app.get(RollBackSubmission).rollBack(id, {
        isDryRun,
        signal,
        onBatch: async (considered, left) => {
          await onLeft(left);
          bar?.update(considered);
        },
      }),
    );
  } finally {
    bar?.stop();
  }
}

function formatLeft({ externalAccountNumber, accountNumber, reason }: LeftAccount): string {
  return `left  ${accountNumber}  ${reason.padEnd(20)}${escapeForLine(externalAccountNumber)}\n`;
}

function formatTally({ rolledBack, left }: RollbackTally, isDryRun: boolean): string {
  const lines = [`${rolledBack} accounts ${isDryRun ? 'would be' : 'were'} deleted.`];
  for (const [reason, count] of Object.entries(left))
    lines.push(
      `${count} ${isDryRun ? 'would be' : 'were'} left alone: ${EXPLANATIONS[reason as LeftAccount['reason']]}.`,
    );
  if (rolledBack > 0 && !isDryRun) lines.push('Their processes are CANCELLED and can be sent again.');
  return `${lines.join('\n')}\n`;
}
