import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeForLine, escapeForTerminal } from '@portage/text';
import {
  type LineOutcome,
  RESULT_COLUMNS,
  type SubmissionResult,
  SubmissionResults,
  toResultFields,
} from '@portage/submissions';
import { stringify } from 'csv-stringify';
import { withApplication } from '../command';
import { printList } from '../list-output';
import { print } from '../standard-output';
import { refuseUnknown } from './submission-errors';

interface ResultsOptions {
  outcome?: LineOutcome[];
  csv?: string;
  json?: true;
}

type Chunks = AsyncIterable<SubmissionResult[]>;

/** `submission results`. Results are printed as they are read, because a submission can have millions. */
export async function listResults(id: string, { outcome, csv, json }: ResultsOptions): Promise<void> {
  await withApplication(async (app) => {
    const chunks = await refuseUnknown(id, app.get(SubmissionResults).stream(id, outcome));
    if (csv === undefined) {
      await printList(chunks, {
        asJson: json ?? false,
        line: formatResult,
        none: 'There are no matching accounts.',
        counted: 'accounts',
      });
      return;
    }
    const count = await writeCsv(chunks, csv);
    const text = `The results of ${count} accounts are in ${csv}.`;
    await print(json ? `${JSON.stringify({ file: csv, accounts: count }, undefined, 2)}\n` : `${text}\n`);
  });
}

function formatResult(result: SubmissionResult): string {
  const { upload, line, external_account_number, outcome, platform_account_number, errors } = result;
  const { duplicate_of: duplicate } = result;
  const place = `${upload}:${line}`.padEnd(12);
  const [first] = errors;
  const more = errors.length > 1 ? ` and ${errors.length - 1} more` : '';
  const end = [
    ...(duplicate ? [`duplicate of ${duplicate.upload}:${duplicate.line}`] : []),
    platform_account_number ?? (first ? `${first.attr ?? ''} ${first.code}${more}`.trim() : ''),
  ].join(' ');
  const number = escapeForLine(external_account_number ?? '-');
  return `${place}${outcome.padEnd(18)}${number}  ${escapeForLine(end)}`;
}

/** @returns the number of rows */
async function writeCsv(chunks: Chunks, file: string): Promise<number> {
  let count = 0;
  const rows = async function* () {
    for await (const chunk of chunks)
      for (const result of chunk) {
        count += 1;
        yield toResultFields(result);
      }
  };
  // As in the report of a supplier: neither spreadsheets nor terminals execute what a supplier has sent.
  const csv = stringify({
    header: true,
    columns: [...RESULT_COLUMNS],
    quoted: true,
    quoted_empty: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: {
      string: (text) => (text.startsWith('\n') ? `'${escapeForTerminal(text)}` : escapeForTerminal(text)),
    },
  });
  await pipeline(Readable.from(rows()), csv, createWriteStream(file, { mode: 0o600 }));
  return count;
}
