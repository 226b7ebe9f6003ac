import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ListFailedProcesses, type MigrationReport, SupplierReport } from '@portage/imports';
import { escapeForTerminal } from '@portage/platform';
import { stringify } from 'csv-stringify';
import { show } from '../command';
import { sparkline } from '../sparkline';
import { sheet, table } from '../table';

const COLUMNS = ['external_account_number', 'external_identifier', 'status', 'code', 'detail', 'modified_at'];

/**
 * `supplier report`: the progress of the migration, or with `--csv` the failed accounts that the supplier must
 * correct.
 */
export async function reportSupplier(code: string, options: { csv?: string; json?: true }): Promise<void> {
  const { csv } = options;
  if (csv === undefined) {
    await show(options.json ?? false, async (app) => {
      const report = await app.get(SupplierReport).read(code);
      return { json: { supplier: code, ...toJson(report) }, text: formatReport(code, report) };
    });
    return;
  }
  await show(options.json ?? false, async (app) => {
    const count = await writeFailedCsv(app.get(ListFailedProcesses).list(code), csv);
    return { json: { file: csv, accounts: count }, text: `${count} accounts with errors are in ${csv}.` };
  });
}

/** @returns the number of rows */
async function writeFailedCsv(
  failed: ReturnType<ListFailedProcesses['list']>,
  file: string,
): Promise<number> {
  let count = 0;
  const rows = async function* () {
    for await (const chunk of failed)
      for (const process of chunk) {
        count += 1;
        yield [
          process.externalAccountNumber,
          process.externalIdentifier,
          process.status,
          process.errorCode,
          process.errorDetail,
          process.modifiedAt,
        ];
      }
  };
  // Spreadsheets would execute submitted text that starts like a formula, and terminals escape sequences.
  const csv = stringify({
    header: true,
    columns: COLUMNS,
    quoted: true,
    quoted_empty: true,
    escape_formulas: true,
    cast: { string: escapeForTerminal },
  });
  await pipeline(Readable.from(rows()), csv, createWriteStream(file, { mode: 0o600 }));
  return count;
}

const toJson = (report: MigrationReport) => ({
  supplier_status: report.supplierStatus,
  total: report.total,
  processes: report.processes,
  waiting_for_window: report.waitingForWindow,
  errors: report.errors.map(({ code, count, externalAccountNumber, detail }) => ({
    code,
    count,
    example: { external_account_number: externalAccountNumber, detail },
  })),
  bucket_seconds: report.bucketSeconds,
  ended: report.ended,
  accounts_a_second: Number(report.pace.perSecond.toFixed(1)),
  seconds_left: report.pace.secondsLeft ?? null,
});

function formatReport(code: string, report: MigrationReport): string {
  const { processes, waitingForWindow, total, pace, ended, errors } = report;
  const awaitingRelease = processes.DRY_RUN_SUCCEEDED;
  const counted = Object.fromEntries(Object.entries(processes).filter(([, count]) => count > 0));
  const summary = sheet({
    supplier: `${code} (${report.supplierStatus})`,
    accounts: total,
    ...counted,
    ...(waitingForWindow > 0 ? { 'PENDING until their schedule window opens': waitingForWindow } : {}),
    ...(awaitingRelease > 0
      ? { 'to be released': `${awaitingRelease}: process release --supplier ${code} --all` }
      : {}),
    'last hour, per minute': sparkline(ended),
    'accounts per second': pace.perSecond.toFixed(1),
    'time left':
      pace.secondsLeft === undefined
        ? 'unknown, no process has ended lately'
        : formatDuration(pace.secondsLeft),
  });
  const failed = table(
    ['error', 'accounts', 'example', ''],
    errors.map((error) => [error.code, error.count, error.externalAccountNumber, truncate(error.detail)]),
    'No account has an error.',
  );
  return `${summary}\n${failed}`;
}

/** A duration in minutes, hours or days. */
function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return seconds === 0 ? 'none' : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

function truncate(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
