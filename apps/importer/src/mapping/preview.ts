import { escapeForTerminal } from '@portage/text';
import { printOutput } from '../terminal';
import { UsageError } from '../usage-error';
import type { BuiltRow, RowError, UsedRows } from './account-builder';
import type { CsvFile, CsvRow } from './csv-file';
import { describeError } from './error-tally';
import { type MapContext, Mapper } from './mapper';
import type { PreviewOptions } from './map-options';
import { readMapping } from './mapping';

/** Rows of one source that are shown. */
const MAX_SHOWN_ROWS = 20;

/** Space between the two sides. */
const GAP = '  │ ';

/** The narrowest terminal whose sides are beside each other. */
const MIN_BESIDE = 100;

/**
 * Performs map preview: prints one row and its rows of other sources, beside what they become, with errors and warnings.
 *
 * @param now the day that rules compare with
 * @param width of the terminal in characters
 * @returns true if the row has no errors
 * @throws UsageError if the mapping or a file is wrong, or there is no such row
 */
export async function runPreview(
  options: PreviewOptions,
  now: Date,
  context: MapContext,
  width: number,
): Promise<boolean> {
  const mapping = await readMapping(options.mapping, options.kind);
  const mapper = await Mapper.open(mapping, now, context);
  try {
    const { row, keyError } = await findRow(mapper, options.row);
    const built = mapper.build(row);
    const errors = keyError === undefined ? mapper.errorsOf(built) : [keyError];
    const warnings = errors.length > 0 ? [] : mapper.warningsOf(built);
    context.progress.end();
    const source = describeRows(mapper, row, built.children);
    const made = describeLines(built);
    printOutput(`${beside(source, made, width).join('\n')}\n`);
    for (const [heading, found] of [
      ['Errors', errors],
      ['Warnings', warnings],
    ] as const) {
      if (found.length > 0) printOutput(`\n${heading}:\n`);
      for (const one of found) printOutput(`  ${describeError(one)}\n`);
    }
    if (errors.length === 0) printOutput('\nNo errors.\n');
    return errors.length === 0;
  } finally {
    context.progress.end();
    await mapper.close();
  }
}

/** The row that starts at a line of the file, or the first one. */
async function findRow(
  mapper: Mapper,
  number: number | undefined,
): Promise<{ row: CsvRow; keyError: RowError | undefined }> {
  const { accounts } = mapper.mapping;
  for await (const row of accounts.rows()) {
    const keyError = mapper.keyErrorOf(row);
    if (number === undefined || row.row === number) return { row, keyError };
    if (row.row > number) break;
  }
  const { file } = accounts.settings;
  throw new UsageError(
    number === undefined
      ? `${file} has a header and no rows.`
      : `No row of ${file} starts at line ${number}. The header is line 1.`,
  );
}

/** The cells of all rows, by column. */
function describeRows(mapper: Mapper, row: CsvRow, children: UsedRows): string[] {
  const { accounts, children: sources } = mapper.mapping;
  const lines = describeCells(accounts, row);
  for (const [source, rows] of children) {
    const file = sources.get(source) as CsvFile;
    if (rows.size === 0) lines.push('', `${file.settings.file}: no rows`);
    for (const child of [...rows.values()].slice(0, MAX_SHOWN_ROWS)) {
      lines.push('');
      for (const line of describeCells(file, child)) lines.push(line);
    }
    if (rows.size > MAX_SHOWN_ROWS)
      lines.push('', `${rows.size - MAX_SHOWN_ROWS} more rows of ${file.settings.file}`);
  }
  return lines;
}

function describeCells({ header, settings }: CsvFile, row: CsvRow): string[] {
  const width = header.columns.reduce((longest, column) => Math.max(longest, column.length), 0);
  const cells = header.columns.map(
    (column, index) => `  ${column.padEnd(width)}  ${oneLine(row.cells[index] ?? '')}`,
  );
  return [`${settings.file} row ${row.row}`, ...cells];
}

function describeLines({ lines }: BuiltRow): string[] {
  if (lines.length === 0) return ['nothing to add'];
  return lines.flatMap(({ request, value }) => [request.replaceAll('_', ' '), ...describeValue(value, '  ')]);
}

/** A value as indented lines, without the punctuation of JSON. */
function describeValue(value: object, indent: string): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const label = Array.isArray(value) ? `${Number(name) + 1}.` : `${name}:`;
    if (typeof member !== 'object' || member === null)
      return [`${indent}${label} ${oneLine(String(member))}`];
    return [`${indent}${label}`, ...describeValue(member, `${indent}  `)];
  });
}

function oneLine(text: string): string {
  return escapeForTerminal(text.replaceAll(/\r\n|\r|\n/g, ' ⏎ '));
}

/** Two columns of lines; below each other on a narrow terminal. */
function beside(left: readonly string[], right: readonly string[], width: number): string[] {
  if (width < MIN_BESIDE) return [...left, '', ...right];
  const half = Math.floor((width - GAP.length) / 2);
  const lefts = left.flatMap((line) => wrap(line, half));
  const rights = right.flatMap((line) => wrap(line, half));
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, nth) =>
    `${(lefts[nth] ?? '').padEnd(half)}${GAP}${rights[nth] ?? ''}`.trimEnd(),
  );
}

function wrap(line: string, width: number): string[] {
  const characters = Array.from(line);
  const indent = ' '.repeat(Math.min(/^ */.exec(line)?.[0].length ?? 0, width / 2) + 2);
  const lines = [characters.splice(0, width).join('')];
  while (characters.length > 0) lines.push(indent + characters.splice(0, width - indent.length).join(''));
  return lines;
}
