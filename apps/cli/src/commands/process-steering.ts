import type { INestApplicationContext } from '@nestjs/common';
import {
  type ImportProcessStatus,
  type ProcessSelector,
  type SkipReason,
  SteerImportProcesses,
  type SteeringAction,
  type SteeringTally,
} from '@portage/imports';
import { buildActionResult } from '@portage/operators';
import { PortageError } from '@portage/platform';
import { Submissions } from '@portage/submissions';
import type { Command } from 'commander';
import { withApplication } from '../command';
import { withInterruption } from '../interruption';
import { createProgressBar } from '../progress-bar';
import { print } from '../standard-output';
import { refuseUnknown } from './submission-errors';

/** The options that select processes. */
export interface SelectionOptions {
  supplier?: string;
  externalAccountNumber?: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  submission?: string;
  first?: string;
  all?: true;
  json?: true;
}

const PAST_PARTICIPLE: Record<SteeringAction, string> = {
  release: 'released',
  cancel: 'cancelled',
  retry: 'retried',
};

const MAX_FIRST = 999_999_999;

/** `process release`, `cancel` and `retry`: one process, or all selected ones with a progress bar. */
export async function steerProcesses(
  action: SteeringAction,
  selected: SelectionOptions,
  usage: Command,
): Promise<void> {
  const { supplier, externalAccountNumber: number, submission, json } = selected;
  const first = parseFirst(selected.first);
  const selectsMany = selected.status ?? selected.errorCode ?? submission ?? first ?? selected.all;
  if (supplier === undefined && submission === undefined)
    usage.error("error: required option '--supplier <code>' or '--submission <id>' not specified");
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
  const tally = await withApplication(async (app) => {
    const code = supplier ?? (await supplierOf(app, String(submission)));
    if (number) return app.get(SteerImportProcesses).steerOne(action, code, number);
    const { status, errorCode } = selected;
    const selector = { supplier: code, status, errorCode, submissionId: submission };
    return steerSelected(app, action, selector, first, !json);
  });
  const result = buildActionResult(action, tally);
  await print(json ? `${JSON.stringify(result, undefined, 2)}\n` : formatTally(action, tally));
  if (!tally.isComplete)
    throw new PortageError(
      'operation_refused',
      `Stopped. ${tally.steered} were ${PAST_PARTICIPLE[action]}. Run the command again to continue.`,
    );
}

function parseFirst(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new PortageError('operation_refused', `--first must be a whole number from 1 to ${MAX_FIRST}.`);
}

async function supplierOf(app: INestApplicationContext, submission: string): Promise<string> {
  const found = await refuseUnknown(submission, app.get(Submissions).require(undefined, submission));
  return found.supplier;
}

/** Steers the selected processes. The first Ctrl-C stops after the current batch, a second one at once. */
async function steerSelected(
  app: INestApplicationContext,
  action: SteeringAction,
  selector: ProcessSelector,
  first: number | undefined,
  showsProgress: boolean,
): Promise<SteeringTally> {
  const steering = app.get(SteerImportProcesses);
  const bar = showsProgress && process.stderr.isTTY ? createProgressBar(action, 'processes') : undefined;
  bar?.start((await steering.count(action, selector, first ?? MAX_FIRST)).examined, 0);
  try {
    return await withInterruption(async (signal) =>
      steering.steer(action, selector, { first, signal, onProgress: (count) => bar?.update(count) }),
    );
  } finally {
    bar?.stop();
  }
}

/** The counts of an action as text. */
function formatTally(action: SteeringAction, { steered, skipped, withoutJob }: SteeringTally): string {
  const lines = [`${steered} processes ${PAST_PARTICIPLE[action]}.`];
  for (const [reason, count] of Object.entries(skipped))
    lines.push(`${count} skipped: ${explainSkip(reason as SkipReason)}.`);
  if (withoutJob > 0)
    lines.push(
      `The queue did not accept the jobs of ${withoutJob} of them. A worker enqueues them within a minute.`,
    );
  return `${lines.join('\n')}\n`;
}

function explainSkip(reason: SkipReason): string {
  if (reason === 'is_dry_run')
    return 'posted with is_dry_run: true, so they end with their dry run. Post them again without is_dry_run';
  if (reason === 'payload_erased') return 'erased, so that they must be posted again';
  return reason;
}
