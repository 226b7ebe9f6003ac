import { type ImportProcessEntity, type ImportProcessStatus, InspectImportProcesses } from '@portage/imports';
import { type StoredProcess, ViewProcess } from '@portage/operators';
import { escapeForLine } from '@portage/platform';
import { show, withApplication } from '../command';
import { print } from '../standard-output';
import { sheet, table } from '../table';

const toJson = (process: ImportProcessEntity | StoredProcess['process']) => ({
  external_account_number: process.externalAccountNumber,
  external_identifier: process.externalIdentifier,
  status: process.status,
  platform_account_number: process.accountNumber,
  error_code: process.errorCode,
  created_at: process.createdAt,
  modified_at: process.modifiedAt,
});

interface ListOptions {
  supplier: string;
  status?: ImportProcessStatus;
  errorCode?: string;
  json?: true;
}

/** `process list`. Processes are printed as they are read, because a supplier can have millions. */
export async function listProcesses({ supplier, status, errorCode, json }: ListOptions): Promise<void> {
  await withApplication(async (app) => {
    const chunks = app.get(InspectImportProcesses).list(supplier, { status, errorCode });
    await (json ? printJson(chunks) : printLines(chunks));
  });
}

async function printJson(chunks: AsyncGenerator<ImportProcessEntity[]>): Promise<void> {
  let separator = '[';
  for await (const chunk of chunks) {
    const items = chunk.map((process) => JSON.stringify(toJson(process)));
    if (!(await print(`${separator}\n  ${items.join(',\n  ')}`))) return;
    separator = ',';
  }
  await print(separator === '[' ? '[]\n' : '\n]\n');
}

async function printLines(chunks: AsyncGenerator<ImportProcessEntity[]>): Promise<void> {
  let count = 0;
  for await (const chunk of chunks) {
    count += chunk.length;
    const lines = chunk.map(
      ({ status, externalAccountNumber, accountNumber, errorCode }) =>
        `${status.padEnd(18)}${escapeForLine(externalAccountNumber)}  ${accountNumber ?? errorCode ?? ''}\n`,
    );
    if (!(await print(lines.join('')))) return;
  }
  await print(count === 0 ? 'There are no matching processes.\n' : `${count} processes\n`);
}

/** `process show`: one process with all its events, the oldest first. */
export async function showProcess(options: {
  supplier: string;
  externalAccountNumber: string;
  json?: true;
}): Promise<void> {
  const { supplier, externalAccountNumber, json } = options;
  await show(json ?? false, async (app) => {
    const { process, events } = await app.get(ViewProcess).show(supplier, externalAccountNumber);
    const fields = {
      ...toJson(process),
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
      actor: event.actor,
    }));
    const rows = history.map((event) => [
      event.occurred_at,
      event.event,
      event.version,
      event.attempt,
      event.actor ?? '',
    ]);
    return {
      json: { ...fields, events: history },
      text: `${sheet(fields)}\n${table(['at', 'event', 'version', 'attempt', 'by'], rows, 'No events.')}`,
    };
  });
}
