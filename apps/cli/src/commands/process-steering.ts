import type { INestApplicationContext } from '@nestjs/common';
import {
  type ImportProcessStatus,
  type ProcessSelector,
  type SkipReason,
  SteerImportProcesses,
  type SteeringAction,
  type SteeringTally,
} from '@portage/imports';
import { PortageError } from '@portage/platform';
import { withApplication } from '../command';
import { withInterruption } from '../interruption';
import { createProgressBar } from '../progress-bar';
import { print } from '../standard-output';

export interface SteeringOptions {
  supplier: string;
  externalAccountNumber?: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  all?: true;
  json?: true;
}

const PAST_PARTICIPLE: Record<SteeringAction, string> = {
  release: 'released',
  cancel: 'cancelled',
  retry: 'retried',
};

const SINGLE_TALLY: SteeringTally = { steered: 1, skipped: {}, withoutJob: 0, isComplete: true };

/** `process release`, `cancel` and `retry`: one process, or all selected ones with a progress bar. */
export async function steerProcesses(action: SteeringAction, selected: SteeringOptions): Promise<void> {
  const { supplier, externalAccountNumber, status, errorCode, all, json } = selected;
  const selectsMany = status ?? errorCode ?? all;
  if (!externalAccountNumber && !selectsMany)
    throw new PortageError(
      'operation_refused',
      `Select the processes to ${action}: --external-account-number N, --status S, --error-code C, or --all.`,
    );
  if (externalAccountNumber && selectsMany)
    throw new PortageError(
      'operation_refused',
      '--external-account-number selects one process. It cannot be combined with --status, --error-code and --all.',
    );
  const tally = await withApplication(async (app) => {
    if (!externalAccountNumber) return steerSelected(app, action, { supplier, status, errorCode }, !json);
    const hasJob = await app.get(SteerImportProcesses).steerOne(action, supplier, externalAccountNumber);
    return hasJob ? SINGLE_TALLY : { ...SINGLE_TALLY, withoutJob: 1 };
  });
  const { steered, skipped } = tally;
  await print(
    json
      ? `${JSON.stringify({ [PAST_PARTICIPLE[action]]: steered, skipped }, undefined, 2)}\n`
      : formatTally(action, tally),
  );
  if (!tally.isComplete)
    throw new PortageError(
      'operation_refused',
      `Stopped. ${steered} were ${PAST_PARTICIPLE[action]}. Run the command again to continue.`,
    );
}

/** Steers the selected processes. The first Ctrl-C stops after the current batch, a second one at once. */
async function steerSelected(
  app: INestApplicationContext,
  action: SteeringAction,
  selector: ProcessSelector,
  showsProgress: boolean,
): Promise<SteeringTally> {
  const steering = app.get(SteerImportProcesses);
  const bar = showsProgress && process.stderr.isTTY ? createProgressBar(action, 'processes') : undefined;
  bar?.start(await steering.count(selector), 0);
  try {
    return await withInterruption(async (signal) =>
      steering.steer(action, selector, signal, (count) => bar?.update(count)),
    );
  } finally {
    bar?.stop();
  }
}

/** The counts of an action as text. */
export function formatTally(action: SteeringAction, { steered, skipped, withoutJob }: SteeringTally): string {
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
  if (reason === 'changed_meanwhile') return 'changed at the same time';
  return reason;
}
