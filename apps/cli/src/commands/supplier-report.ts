import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type MigrationReport, SupplierReport } from '@portage/importing';
import { stringify } from 'csv-stringify';
import { show } from '../command';
import { sparkline } from '../sparkline';
import { sheet, table } from '../table';

const COLUMNS = ['external_account_number', 'external_identifier', 'status', 'code', 'detail', 'modified_at'];

/** `supplier report`: where the migration stands, or with `--csv` what the supplier has to mend. */
export async function reportSupplier(code: string, options: { csv?: string; json?: true }): Promise<void> {
  const { csv } = options;
  if (csv === undefined) {
    await show(options.json ?? false, async (app) => {
      const report = await app.get(SupplierReport).of(code);
      return { json: { supplier: code, ...shape(report) }, text: textOf(code, report) };
    });
    return;
  }
  await show(options.json ?? false, async (app) => {
    const written = await writeFailed(app.get(SupplierReport).failed(code), csv);
    return { json: { file: csv, accounts: written }, text: `${written} accounts with errors are in ${csv}.` };
  });
}

async function writeFailed(failed: ReturnType<SupplierReport['failed']>, file: string): Promise<number> {
  let written = 0;
  const rows = async function* () {
    for await (const chunk of failed)
      for (const one of chunk) {
        written += 1;
        yield [
          ...[one.externalAccountNumber, one.externalIdentifier, one.status],
          ...[one.errorCode, one.errorDetail, one.modifiedAt],
        ];
      }
  };
  // Spreadsheets run what begins like a formula, and these texts came from outside.
  const csv = stringify({ header: true, columns: COLUMNS, escape_formulas: true });
  await pipeline(Readable.from(rows()), csv, createWriteStream(file, { mode: 0o600 }));
  return written;
}

const shape = (report: MigrationReport) => ({
  supplier_status: report.supplierStatus,
  total: report.total,
  processes: report.processes,
  waiting_for_window: report.waitingForWindow,
  errors: report.errors.map(({ code, count, externalAccountNumber, detail }) => ({
    ...{ code, count },
    example: { external_account_number: externalAccountNumber, detail },
  })),
  bucket_seconds: report.bucketSeconds,
  ended: report.ended,
  accounts_a_second: Number(report.pace.perSecond.toFixed(1)),
  seconds_left: report.pace.secondsLeft ?? null,
});

function textOf(code: string, report: MigrationReport): string {
  const { processes, waitingForWindow, total, pace, ended, errors } = report;
  const staged = processes.DRY_RUN_SUCCEEDED;
  const counted = Object.fromEntries(Object.entries(processes).filter(([, count]) => count > 0));
  const summary = sheet({
    supplier: `${code} (${report.supplierStatus})`,
    accounts: total,
    ...counted,
    ...(waitingForWindow > 0 ? { 'PENDING until their window opens': waitingForWindow } : {}),
    ...(staged > 0 ? { 'to be released': `${staged}: process release --supplier ${code} --all` } : {}),
    'last hour, a minute each': sparkline(ended),
    'accounts a second': pace.perSecond.toFixed(1),
    'time left':
      pace.secondsLeft === undefined ? 'nothing comes to an end just now' : duration(pace.secondsLeft),
  });
  const failed = table(
    ['error', 'accounts', 'for example', ''],
    errors.map((one) => [one.code, one.count, one.externalAccountNumber, shortened(one.detail)]),
    'No account has an error.',
  );
  return `${summary}\n${failed}`;
}

/** Days, hours and minutes, as far as they matter. */
export function duration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return seconds === 0 ? 'none' : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
