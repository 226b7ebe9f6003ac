import { resolve } from 'node:path';
import { printOutput } from '../terminal';
import { UsageError } from '../usage-error';
import { mapAccounts, type MapOutcome } from './map-accounts';
import type { MapOptions } from './map-options';
import { type Mapping, readMapping } from './mapping';
import { OutputFile } from './output-file';
import { noRejectedRows, RejectedFiles, rejectedPathOf, type RejectedRows } from './rejected-rows';

/** How many rows without an account are named. */
const SHOWN_ROWS = 5;

/**
 * Performs map check or map book, and prints its outcome.
 *
 * @param now the day that rules compare with
 * @returns true if every row became part of an account without errors
 * @throws UsageError if the mapping or a file is wrong; then nothing was written
 */
export async function runMap(options: MapOptions, now: Date): Promise<boolean> {
  const mapping = await readMapping(options.mapping);
  expectOtherFiles(options, mapping);
  const book = options.out === undefined ? undefined : await OutputFile.create(options.out);
  let rejected: RejectedRows = noRejectedRows;
  try {
    if (options.rejected !== undefined)
      rejected = await RejectedFiles.create(options.rejected, mapping.accounts, mapping.children);
    const outcome = await mapAccounts(mapping, {
      writeAccount: async (line) => book?.write(line),
      rejected,
      rows: options.rows,
      now,
    });
    const paths = await rejected.close();
    await book?.close();
    for (const line of describeOutcome(outcome, mapping)) printOutput(`${line}\n`);
    if (options.out !== undefined) printOutput(`The book is ${options.out}.\n`);
    if (paths.length > 0) printOutput(`Rows that are not in the book: ${paths.join(', ')}.\n`);
    return outcome.rejected === 0 && outcome.orphans.size === 0;
  } catch (error) {
    await rejected.discard();
    await book?.discard();
    throw error;
  }
}

/** @throws UsageError if a file would be written over one that is read, or twice */
function expectOtherFiles({ mapping: path, out, rejected }: MapOptions, mapping: Mapping): void {
  const sources = [mapping.accounts, ...mapping.children.values()].map(({ settings }) => settings.path);
  const taken = new Set([path, ...sources].map((one) => resolve(one)));
  const rejectedPaths =
    rejected === undefined
      ? []
      : [rejected, ...[...mapping.children.keys()].map((source) => rejectedPathOf(rejected, source))];
  for (const written of [out ?? [], rejectedPaths].flat()) {
    if (taken.has(resolve(written)))
      throw new UsageError(`${written} is read or written by this run already: give another path.`);
    taken.add(resolve(written));
  }
}

function describeOutcome(outcome: MapOutcome, { accounts: file, children, unused }: Mapping): string[] {
  const { accounts, rejected, isComplete, orphans, errors } = outcome;
  const lines = [`Accounts without errors: ${accounts}`, `Accounts with errors: ${rejected}`];
  for (const [file, rows] of orphans) {
    const first = rows.slice(0, SHOWN_ROWS).map(({ row }) => row);
    const more = rows.length > first.length ? ', ...' : '';
    lines.push(`Rows of ${file} without an account: ${rows.length} (rows ${first.join(', ')}${more})`);
  }
  if (!isComplete) lines.push('Not all accounts were read: rows without an account are not known.');
  for (const [source, columns] of unused)
    if (columns.length > 0) lines.push(`Columns of ${source} that are not used: ${columns.join(', ')}`);
  const warnings = [file, ...children.values()].flatMap((one) => one.warnings?.describe() ?? []);
  if (warnings.length > 0) lines.push('Warnings, each with its first place:');
  for (const warning of warnings) lines.push(`  ${warning}`);
  if (errors.length > 0) lines.push('The most frequent errors, each with its first row:');
  return [...lines, ...errors.map((line) => `  ${line}`)];
}
