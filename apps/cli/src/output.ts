import { escapeForTerminal } from '@portage/text';
import Table from 'cli-table3';
import { print } from './standard-output';

/** What a command prints. */
export interface CommandResult {
  /**
   * The value of `--json`, from which tables are drawn without it. A list that is read in parts is printed as it is
   * read.
   */
  value: unknown;
  /** The columns of a table for people, if a row has more. */
  columns?: readonly string[];
  /** A sentence on standard error for people. */
  note?: string | false | undefined;
  /** The sentence with which the command ends with status 1, after the value. */
  failure?: string | false | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** Prints the value of a command: as one JSON value, or as tables. */
export async function printResult({ value, columns }: CommandResult, asJson: boolean): Promise<void> {
  if (isStream(value)) await printStream(value, columns, asJson);
  else await print(`${asJson ? JSON.stringify(value ?? null, undefined, 2) : drawValue(value, columns)}\n`);
}

/** A value as text: a list as a table; an object as a sheet of its fields, and a table for each list of objects in it. */
export function drawValue(value: unknown, columns?: readonly string[]): string {
  if (isRows(value)) return drawRows(value, columns);
  if (!isObject(value)) return escapeForTerminal(formatCell(value));
  const fields: [path: string, value: unknown][] = [];
  const lists: [path: string, rows: readonly Row[]][] = [];
  split(value, '', fields, lists);
  const sheet = createTable();
  for (const [path, field] of fields)
    sheet.push({ [escapeForTerminal(path)]: escapeForTerminal(formatCell(field)) });
  return [
    ...(fields.length > 0 ? [sheet.toString()] : []),
    ...lists.map(([path, rows]) => `${escapeForTerminal(path)}\n${drawRows(rows)}`),
  ].join('\n\n');
}

/** Prints the parts of a list as they are read, because it can have millions. Ends when the reader closes the pipe. */
async function printStream(
  parts: AsyncIterable<readonly Row[]>,
  columns: readonly string[] | undefined,
  asJson: boolean,
): Promise<void> {
  let count = 0;
  for await (const rows of parts) {
    if (rows.length === 0) continue;
    const separator = count === 0 ? '[' : ',';
    const text = asJson
      ? `${separator}\n  ${rows.map((row) => JSON.stringify(row)).join(',\n  ')}`
      : `${drawRows(rows, columns)}\n`;
    if (!(await print(text))) return;
    count += rows.length;
  }
  if (asJson) await print(count === 0 ? '[]\n' : '\n]\n');
  else await print(`${count} in all.\n`);
}

/** Collects the plain fields of an object with their paths, and its lists of objects. */
function split(
  value: object,
  path: string,
  fields: [path: string, value: unknown][],
  lists: [path: string, rows: readonly Row[]][],
): void {
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const at = path === '' ? name : `${path}.${name}`;
    if (isRows(member) && !member.some(hasRows)) {
      if (member.length > 0) lists.push([at, member]);
    } else if (isRows(member) || isObject(member)) split(member, at, fields, lists);
    else fields.push([at, member]);
  }
}

/** A table with a column for each field that a row has, or with the given columns. */
function drawRows(rows: readonly Row[], columns?: readonly string[]): string {
  if (rows.length === 0) return 'None.';
  const names =
    columns ??
    [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
      rows.some((row) => formatCell(row[name]) !== '-'),
    );
  const drawing = createTable(names.map((name) => escapeForTerminal(name)));
  // Escaped before the layout, which would count escape sequences as columns.
  for (const row of rows) drawing.push(names.map((name) => escapeForTerminal(formatCell(row[name]))));
  return drawing.toString();
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Without lines between rows, because lists are long. */
const createTable = (head: string[] = []) =>
  new Table({
    head,
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRows = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isObject);

const hasRows = (row: Row) => Object.values(row).some((member) => isRows(member) && member.length > 0);

const isStream = (value: unknown): value is AsyncIterable<readonly Row[]> =>
  isObject(value) && Symbol.asyncIterator in value;
