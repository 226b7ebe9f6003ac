import type { INestApplicationContext } from '@nestjs/common';
import {
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  SteerImportProcesses,
  type SteeringAction,
  type SteeringTally,
} from '@portage/imports';
import { BrowseProcesses, buildActionResult, ViewProcess } from '@portage/operators';
import { PortageError } from '@portage/platform';
import { type Command, Option } from 'commander';
import { command, group } from '../command';
import { withProgress } from '../progress';
import { readPages } from './pages';
import { supplierOfSubmission } from './submission';

/** The options that select processes. */
interface Selection {
  supplier?: string;
  externalAccountNumber?: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  submission?: string;
  first?: string;
  all?: true;
  json?: true;
}

interface Filters {
  supplier: string;
  status?: ImportProcessStatus;
  errorCode?: string;
}

const COLUMNS = ['status', 'external_account_number', 'platform_account_number', 'error_code', 'received_at'];

const MAX_FIRST = 999_999_999;

const statusOption = () =>
  new Option('--status <status>', 'only processes in this status').choices([...IMPORT_PROCESS_STATUSES]);

/** `process list`, `show`, `release`, `cancel` and `retry`. */
export function processCommands(): Command {
  return group('process', 'Import processes: show, release, cancel and retry them.', [
    command(
      'list',
      "List a supplier's processes, the newest first.",
      (app, { supplier, status, errorCode }: Filters) => ({
        value: readPages(async (page) =>
          app.get(BrowseProcesses).list(supplier, { status, errorCode }, page),
        ),
        columns: COLUMNS,
      }),
    )
      .requiredOption('--supplier <code>', 'the supplier of the processes')
      .addOption(statusOption())
      .option('--error-code <code>', 'only processes that ended with this error code'),
    command(
      'show',
      'Show a process with its events.',
      async (app, options: { supplier: string; externalAccountNumber: string }) => ({
        value: await app.get(ViewProcess).readByNumber(options.supplier, options.externalAccountNumber, true),
      }),
    )
      .requiredOption('--supplier <code>', 'the supplier of the process')
      .requiredOption('--external-account-number <number>', 'the process'),
    steeringCommand('release', 'Create accounts whose dry run has succeeded.'),
    steeringCommand('cancel', 'Cancel processes that have not started.'),
    steeringCommand('retry', 'Schedule failed processes again, or cancelled ones with --status CANCELLED.'),
  ]);
}

function steeringCommand(action: SteeringAction, description: string): Command {
  return command(action, description, async (app, selection: Selection) => {
    const tally = await steer(app, action, selection);
    return {
      value: buildActionResult(action, tally),
      failure:
        !tally.isComplete && `Stopped after ${tally.steered} processes. Run the command again to continue.`,
    };
  })
    .option('--supplier <code>', 'the supplier of the processes, unless a submission is selected')
    .option('--external-account-number <number>', 'only this process')
    .addOption(statusOption())
    .option('--error-code <code>', 'only processes that ended with this error code')
    .option('--submission <id>', 'only the accounts of this submission')
    .option('--first <count>', 'only so many of them, in the order of creation (a canary)')
    .option('--all', 'every process in a suitable status');
}

/** Steers one process, or the selected ones. The first Ctrl-C stops after the current batch, a second one at once. */
async function steer(
  app: INestApplicationContext,
  action: SteeringAction,
  selection: Selection,
): Promise<SteeringTally> {
  const { supplier, externalAccountNumber: number, status, errorCode, submission, json } = selection;
  const first = parseFirst(selection.first);
  const selectsMany = status ?? errorCode ?? submission ?? first ?? selection.all;
  if (supplier === undefined && submission === undefined)
    throw new PortageError('operation_refused', 'Name the supplier with --supplier, or a --submission.');
  if (!number && !selectsMany)
    throw new PortageError(
      'operation_refused',
      `Select the processes to ${action}: --external-account-number N, --status S, --error-code C, --submission I, --first N, or --all.`,
    );
  if (number && selectsMany)
    throw new PortageError(
      'operation_refused',
      '--external-account-number selects one process. It cannot be combined with another selection.',
    );
  const code = supplier ?? (await supplierOfSubmission(app, String(submission)));
  const steering = app.get(SteerImportProcesses);
  if (number) return steering.steerOne(action, code, number);
  const selector = { supplier: code, status, errorCode, submissionId: submission };
  const total = (await steering.count(action, selector, first ?? MAX_FIRST)).examined;
  return withProgress({ action, total, isShown: !json }, async (signal, onProgress) =>
    steering.steer(action, selector, { first, signal, onProgress }),
  );
}

function parseFirst(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new PortageError('operation_refused', `--first must be a whole number from 1 to ${MAX_FIRST}.`);
}
