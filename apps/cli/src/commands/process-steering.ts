import type { INestApplicationContext } from '@nestjs/common';
import type { ImportProcessStatus, PassedOver, SteeringAction } from '@portage/domain';
import { type ProcessSelector, Refusal, SteerImportProcesses, type SteeringTally } from '@portage/importing';
import { SingleBar } from 'cli-progress';
import { withApplication } from '../command';
import { print } from '../standard-output';

interface Selected {
  supplier: string;
  externalAccountNumber?: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  all?: true;
  json?: true;
}

const DONE: Record<SteeringAction, string> = { release: 'released', cancel: 'cancelled', retry: 'retried' };

const ONE: SteeringTally = { steered: 1, skipped: {}, withoutJob: 0, isComplete: true };

/** `process release`, `cancel` and `retry`: one process, or a whole cohort with a bar that shows how far it is. */
export async function steerProcesses(action: SteeringAction, selected: Selected): Promise<void> {
  const { supplier, externalAccountNumber, status, errorCode, all, json } = selected;
  const namesMany = status ?? errorCode ?? all;
  if (!externalAccountNumber && !namesMany)
    throw new Refusal(
      `Say which processes to ${action}: --external-account-number N, --status S, --error-code C, or --all.`,
    );
  if (externalAccountNumber && namesMany)
    throw new Refusal(
      '--external-account-number names one process; leave out --status, --error-code and --all.',
    );
  const tally = await withApplication(async (app) => {
    if (!externalAccountNumber) return steerCohort(app, action, { supplier, status, errorCode }, !json);
    const hasJob = await app.get(SteerImportProcesses).steerOne(action, supplier, externalAccountNumber);
    return hasJob ? ONE : { ...ONE, withoutJob: 1 };
  });
  const { steered, skipped } = tally;
  await print(
    json ? `${JSON.stringify({ [DONE[action]]: steered, skipped }, undefined, 2)}\n` : words(action, tally),
  );
  if (!tally.isComplete)
    throw new Refusal(`Stopped. ${steered} were ${DONE[action]}; the same command again does the rest.`);
}

/** Ctrl-C ends it after the batch in hand, and a second one at once. */
async function steerCohort(
  app: INestApplicationContext,
  action: SteeringAction,
  cohort: ProcessSelector,
  isForPeople: boolean,
): Promise<SteeringTally> {
  const steering = app.get(SteerImportProcesses);
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
  };
  const bar = isForPeople && process.stderr.isTTY ? progressBar(action) : undefined;
  bar?.start(await steering.count(cohort), 0);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await steering.steer(action, cohort, stopping.signal, (looked) => bar?.update(looked));
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    bar?.stop();
  }
}

function progressBar(action: SteeringAction): SingleBar {
  return new SingleBar({
    format: `${action} [{bar}] {percentage}% {value} of {total} processes, {eta_formatted} left`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
    // Ctrl-C is ours: the command stops in order and clears the bar itself.
    gracefulExit: false,
  });
}

function words(action: SteeringAction, { steered, skipped, withoutJob }: SteeringTally): string {
  const lines = [`${steered} processes ${DONE[action]}.`];
  for (const [reason, count] of Object.entries(skipped))
    lines.push(`${count} skipped: ${why(reason as PassedOver)}.`);
  if (withoutJob > 0)
    lines.push(`The queue did not answer for ${withoutJob} of them; a worker takes them up within a minute.`);
  return `${lines.join('\n')}\n`;
}

function why(reason: PassedOver): string {
  if (reason === 'is_dry_run')
    return 'posted with is_dry_run: true, which always ends at the dry run; post them again without it';
  if (reason === 'changed_meanwhile') return 'changed at this very moment';
  return reason;
}
