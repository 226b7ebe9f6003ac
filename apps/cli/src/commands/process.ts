import type { ImportProcessEntity } from '@portage/database';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus } from '@portage/domain';
import {
  InspectImportProcesses,
  Refusal,
  SteerImportProcesses,
  type SteeringAction,
} from '@portage/importing';
import { SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import { command, show, withApplication } from '../command';
import { sheet, table } from '../table';

interface Selected {
  supplier: string;
  externalAccountNumber?: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  all?: true;
  json?: true;
}

const status = () => new Option('--status <status>', 'only these').choices([...IMPORT_PROCESS_STATUSES]);

const shape = (process: ImportProcessEntity) => ({
  external_account_number: process.externalAccountNumber,
  external_identifier: process.externalIdentifier,
  status: process.status,
  platform_account_number: process.accountNumber,
  error_code: process.errorCode,
  created_at: process.createdAt,
  modified_at: process.modifiedAt,
});

export function processCommands(): Command {
  return new Command('process')
    .description('Import processes: look at them, release, cancel and retry them.')
    .addCommand(
      command('list', "List a supplier's processes in the order of creation.")
        .requiredOption('--supplier <code>', 'whose processes')
        .addOption(status())
        .option('--error-code <code>', 'only those that ended with this error')
        .action(list),
    )
    .addCommand(
      command('show', 'Show a process with its events.')
        .requiredOption('--supplier <code>', 'whose process')
        .requiredOption('--external-account-number <number>', 'which process')
        .action(showOne),
    )
    .addCommand(steering('release', 'Create the accounts whose dry run has succeeded.'))
    .addCommand(steering('cancel', 'Cancel processes that have not been started.'))
    .addCommand(steering('retry', 'Schedule failed processes again.'));
}

async function list({ supplier, status, errorCode, json }: Selected): Promise<void> {
  await withApplication(async (app) => {
    const found = app.get(InspectImportProcesses).list(supplier, { status, errorCode });
    if (json) {
      // Written as it is read: a supplier may have millions.
      let separator = '[';
      for await (const process of found) {
        await write(`${separator}\n  ${JSON.stringify(shape(process))}`);
        separator = ',';
      }
      await write(separator === '[' ? '[]\n' : '\n]\n');
      return;
    }
    let count = 0;
    for await (const process of found) {
      count += 1;
      const { external_account_number, status, platform_account_number, error_code } = shape(process);
      await write(
        `${status.padEnd(18)}${external_account_number}  ${platform_account_number ?? error_code ?? ''}\n`,
      );
    }
    await write(count === 0 ? 'There are no such processes.\n' : `${count} processes\n`);
  });
}

async function showOne({ supplier, externalAccountNumber, json }: Selected): Promise<void> {
  await show(json ?? false, async (app) => {
    const { process, events } = await app
      .get(InspectImportProcesses)
      .show(supplier, externalAccountNumber ?? '');
    const fields = {
      ...shape(process),
      version: process.version,
      attempt: process.attempt,
      is_dry_run: process.isDryRun,
      error_detail: process.errorDetail,
      schedule_window_start: process.scheduleWindowStart,
      schedule_window_end: process.scheduleWindowEnd,
    };
    const history = events.map((event) => ({
      occurred_at: event.occurredAt,
      event: event.event,
      version: event.version,
      attempt: event.attempt,
      error_code: event.errorCode,
    }));
    const rows = history.map((event) => [event.occurred_at, event.event, event.version, event.attempt]);
    return {
      json: { ...fields, events: history },
      text: `${sheet(fields)}\n${table(['at', 'event', 'version', 'attempt'], rows, 'No events.')}`,
    };
  });
}

function steering(action: SteeringAction, description: string): Command {
  return command(action, description)
    .requiredOption('--supplier <code>', 'whose processes')
    .option('--external-account-number <number>', 'only this one')
    .addOption(status())
    .option('--error-code <code>', 'only those that ended with this error')
    .option('--all', 'every process that is in a state for it')
    .action(async (selected: Selected) => {
      await steer(action, selected);
    });
}

async function steer(action: SteeringAction, selected: Selected): Promise<void> {
  const { supplier, externalAccountNumber, status, errorCode, all, json } = selected;
  if (!externalAccountNumber && !status && !errorCode && !all)
    throw new Refusal(
      `Say which processes to ${action}: --external-account-number N, --status S, --error-code C, or --all.`,
    );
  await show(json ?? false, async (app) => {
    const bar = process.stderr.isTTY
      ? new SingleBar({ format: `${action} {value} processes, {duration_formatted}`, stream: process.stderr })
      : undefined;
    bar?.start(0, 0);
    const count = await app
      .get(SteerImportProcesses)
      .steer(action, { supplier, externalAccountNumber, status, errorCode }, (done) => bar?.update(done));
    bar?.stop();
    if (count === 0 && externalAccountNumber)
      throw new Refusal(
        `The process ${externalAccountNumber} of ${supplier} does not exist or is in no state to ${action}.`,
      );
    return { json: { action, count }, text: `${action}: ${count} processes.` };
  });
}

async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}
