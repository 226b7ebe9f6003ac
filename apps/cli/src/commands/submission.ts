import type { INestApplicationContext } from '@nestjs/common';
import { ViewSubmissions } from '@portage/operators';
import { ActingOperator, PortageError } from '@portage/platform';
import {
  AbortSubmission,
  LINE_OUTCOMES,
  type LeftAccount,
  type LineOutcome,
  ReconcileSubmission,
  RollBackSubmission,
  SubmissionResults,
  Submissions,
} from '@portage/submissions';
import { type Command, Option } from 'commander';
import { command, group } from '../command';
import { confirm, YES } from '../confirmation';
import { withProgress } from '../progress';
import { readPages } from './pages';

const LISTED = ['id', 'status', 'created_at', 'reference'];
const RESULTS = [
  'upload',
  'line',
  'kind',
  'outcome',
  'external_account_number',
  'platform_account_number',
  'errors',
];

/** `submission list`, `show`, `results`, `reconcile`, `abort` and `rollback`. */
export function submissionCommands(): Command {
  return group('submission', 'Submissions: show, reconcile, abort and roll back books of accounts.', [
    command(
      'list',
      "List a supplier's submissions, newest first.",
      (app, { supplier }: { supplier: string }) => ({
        value: readPages(async (page) => app.get(ViewSubmissions).list(supplier, page)),
        columns: LISTED,
      }),
    ).requiredOption('--supplier <code>', 'the supplier of the submissions'),
    command('show <id>', 'Show a submission with its counts.', async (app, _options: object, id: string) => ({
      value: await refuseUnknown(id, app.get(ViewSubmissions).read(id)),
    })),
    command(
      'results <id>',
      'List what became of each account, in the order of arrival.',
      async (app, { outcome }: { outcome?: LineOutcome[] }, id: string) => ({
        value: await refuseUnknown(id, app.get(SubmissionResults).stream(id, outcome)),
        columns: RESULTS,
      }),
    ).addOption(
      new Option('--outcome <outcome...>', 'only accounts with these outcomes').choices([...LINE_OUTCOMES]),
    ),
    command(
      'reconcile <id>',
      'Compare what was expected, received and imported. The status is 1 unless the submission is reconciled.',
      async (app, _options: object, id: string) => {
        const value = await refuseUnknown(id, app.get(ReconcileSubmission).reconcile(id));
        return { value, failure: !value.reconciled && `The submission ${id} is not reconciled.` };
      },
    ),
    command(
      'abort <id>',
      'Accept no more accounts, and cancel those that have not begun.',
      async (app, _options: object, id: string) => ({ value: await abort(app, id) }),
    ),
    command(
      'rollback <id>',
      'Delete the accounts that it has created and that nothing has touched since.',
      async (app, options: RollbackOptions, id: string) => rollBack(app, id, options),
    )
      .option('--dry-run', 'only show what would be deleted and what would be left')
      .option(...YES),
  ]);
}

/** @throws PortageError `operation_refused` if there is no such submission */
export async function supplierOfSubmission(app: INestApplicationContext, id: string): Promise<string> {
  return (await refuseUnknown(id, app.get(Submissions).require(undefined, id))).supplier;
}

async function refuseUnknown<T>(id: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PortageError && error.code === 'not_found')
      throw new PortageError(
        'operation_refused',
        `There is no submission ${id}. List them with: submission list`,
      );
    throw error;
  }
}

/** Cancels in batches. Accounts that are being imported end by themselves. The first Ctrl-C stops after a batch. */
async function abort(app: INestApplicationContext, id: string) {
  const { actor } = app.get(ActingOperator);
  return withProgress({ action: 'abort', total: 0, isShown: false }, async (signal) => {
    for (let cancelled = 0; ;) {
      const aborted = await refuseUnknown(id, app.get(AbortSubmission).abortAsOperator(actor, id));
      cancelled += aborted.cancelled;
      if (aborted.cancelled === 0 || signal.aborted) return { cancelled, ...aborted.submission };
    }
  });
}

interface RollbackOptions {
  dryRun?: true;
  yes?: true;
  json?: true;
}

/** Accounts are deleted, so it asks for confirmation. The first Ctrl-C stops after the current batch. */
async function rollBack(
  app: INestApplicationContext,
  id: string,
  { dryRun: isDryRun = false, yes, json }: { dryRun?: boolean } & Omit<RollbackOptions, 'dryRun'>,
) {
  const left: LeftAccount[] = [];
  const total = await refuseUnknown(id, app.get(RollBackSubmission).count(id));
  if (!isDryRun && !yes && total > 0)
    await confirm(`Up to ${total} accounts of the submission ${id} will be deleted.`, 'its id', id);
  const tally = await withProgress(
    { action: 'rollback', total, isShown: !json },
    async (signal, onProgress) =>
      app.get(RollBackSubmission).rollBack(id, {
        isDryRun,
        signal,
        onBatch: async (considered, batch) => {
          for (const account of batch) left.push(account);
          onProgress(considered);
          return Promise.resolve();
        },
      }),
  );
  return {
    value: {
      submission: id,
      is_dry_run: isDryRun,
      rolled_back: tally.rolledBack,
      left: tally.left,
      is_complete: tally.isComplete,
      accounts_left: left.map(({ externalAccountNumber, accountNumber, reason }) => ({
        external_account_number: externalAccountNumber,
        platform_account_number: accountNumber,
        reason,
      })),
    },
    failure: !tally.isComplete && 'Stopped. Run the command again to continue.',
  };
}
