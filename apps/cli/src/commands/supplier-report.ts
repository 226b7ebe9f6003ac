import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ListFailedProcesses } from '@portage/imports';
import { type SupplierDetailView, ViewSuppliers } from '@portage/operators';
import { escapeForTerminal } from '@portage/text';
import { stringify } from 'csv-stringify';
import { show } from '../command';
import { sparkline } from '../sparkline';
import { sheet, table } from '../table';

const COLUMNS = ['external_account_number', 'external_identifier', 'status', 'code', 'detail', 'modified_at'];

/**
 * `supplier report`: the figures of the supplier's page in the console, or with `--csv` the failed accounts that the supplier
 * must correct.
 */
export async function reportSupplier(code: string, options: { csv?: string; json?: true }): Promise<void> {
  const { csv } = options;
  if (csv === undefined) {
    await show(options.json ?? false, async (app) => {
      const detail = await app.get(ViewSuppliers).read(code);
      return { json: detail, text: formatReport(detail) };
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

function formatReport({
  summary,
  funnel,
  top_errors: errors,
  latency_ms: latency,
}: SupplierDetailView): string {
  const { code, states, sparkline: lastHour } = summary;
  const awaitingRelease = states.DRY_RUN_SUCCEEDED;
  const counted = Object.fromEntries(Object.entries(states).filter(([, count]) => count > 0));
  const figures = sheet({
    supplier: `${code} (${summary.status})`,
    'counted at': summary.counted_at,
    accounts: funnel.received,
    ...counted,
    ...(awaitingRelease > 0
      ? { 'to be released': `${awaitingRelease}: process release --supplier ${code} --all` }
      : {}),
    'documents and e-mail settled': funnel.followed_up,
    'last hour, per minute': sparkline(lastHour),
    'accounts per second': `${summary.processed_per_second} (${summary.processed_per_second_of_minute} over the last minute)`,
    'mean latency of the last hour': latency === null ? null : `${latency} ms`,
    'oldest waiting since': summary.oldest_waiting_at ?? 'none',
    'estimated end': summary.estimated_end_at,
  });
  const failed = table(
    ['error', 'accounts', 'refused lines', 'share', 'example'],
    errors.map((error) => [
      error.code,
      error.count,
      error.refused_lines,
      `${(error.share * 100).toFixed(1)} %`,
      error.example?.external_account_number ?? '-',
    ]),
    'No account has an error, and no line was refused.',
  );
  return `${figures}\n${failed}`;
}
