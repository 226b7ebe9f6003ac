import { UsageError } from '../usage-error';
import type { BuiltLine } from './account-builder';
import type { CsvRow } from './csv-file';
import { type MapContext, type Mapper, showingProgress } from './mapper';
import { noRejectedRows, type RejectedRows } from './rejected-rows';

/** What has become of the rows. */
export interface MapOutcome {
  /** Rows of the accounts without errors. */
  readonly accounts: number;
  /** Rows of the accounts with errors. */
  readonly rejected: number;
  /** Lines of the book. */
  readonly lines: number;
  /** True if every row of the accounts was read. */
  readonly isComplete: boolean;
  /** The rows of other sources that belong to no account, by file. Not known if not every account was read. */
  readonly orphans: ReadonlyMap<string, OrphanCount>;
  /** The most frequent errors, a line each. */
  readonly errors: readonly string[];
}

/** How many rows of a source belong to no account, and the first ones. */
export interface OrphanCount {
  count: number;
  readonly firstRows: number[];
}

/** Where lines and rows go. */
export interface MapTarget {
  /** Takes a line of the book, which the row has become. */
  writeLine(text: string, line: BuiltLine, row: CsvRow): void | Promise<void>;
  /** Learns that the row is not in the book. */
  reject?: (row: CsvRow) => void;
  readonly rejected?: RejectedRows;
  /** The number of rows to read at most; undefined is all of them. */
  readonly rows?: number | undefined;
}

/** How many rows without an account are named. */
const NAMED_ORPHANS = 5;

/** Maps and validates the accounts of a source in their order. @throws UsageError if a file cannot be read further */
export async function mapAccounts(
  mapper: Mapper,
  target: MapTarget,
  context: MapContext,
): Promise<MapOutcome> {
  const { accounts: file } = mapper.mapping;
  const { rejected: rejectedRows = noRejectedRows } = target;
  let accounts = 0;
  let rejected = 0;
  let lines = 0;
  const takeRow = async (row: CsvRow): Promise<void> => {
    for (const error of mapper.totals.add(file, row)) mapper.tally.add(error);
    const keyError = mapper.keyErrorOf(row);
    const built = keyError === undefined ? mapper.build(row) : undefined;
    const errors = keyError !== undefined ? [keyError] : built === undefined ? [] : mapper.errorsOf(built);
    if (built !== undefined && errors.length === 0) {
      accounts += 1;
      lines += built.lines.length;
      for (const line of built.lines) await target.writeLine(textOf(line), line, row);
      return;
    }
    rejected += 1;
    for (const error of errors) mapper.tally.add(error);
    target.reject?.(row);
    await rejectedRows.add(row, errors, built?.children ?? new Map());
  };
  const work = async () => {
    for await (const row of file.rows()) {
      if (accounts + rejected === target.rows || context.stop.signal.aborted) return false;
      await takeRow(row);
    }
    return true;
  };
  const counts = () => `${accounts} without errors, ${rejected} with errors`;
  const isComplete = await showingProgress('mapped', file, context, counts, work);
  mapper.finishKeys();
  if (accounts + rejected === 0 && isComplete)
    throw new UsageError(`${file.settings.file} has a header and no rows.`);
  const orphans = isComplete ? await findOrphans(mapper, rejectedRows) : new Map<string, OrphanCount>();
  return { accounts, rejected, lines, isComplete, orphans, errors: mapper.tally.describe() };
}

/** A line of a book, with its line feed. */
function textOf({ value }: BuiltLine): string {
  return `${JSON.stringify(value)}\n`;
}

async function findOrphans(mapper: Mapper, rejected: RejectedRows): Promise<Map<string, OrphanCount>> {
  const found = new Map<string, OrphanCount>();
  for await (const orphan of mapper.orphans()) {
    const { file } = orphan.file.settings;
    const counted = found.get(file) ?? { count: 0, firstRows: [] };
    found.set(file, counted);
    counted.count += 1;
    if (counted.firstRows.length < NAMED_ORPHANS) counted.firstRows.push(orphan.row.row);
    mapper.tally.add(orphan.error);
    await rejected.addOrphan(orphan);
  }
  return found;
}

/** What has become of the rows, a line each. */
export function describeOutcome(outcome: MapOutcome, mapper: Mapper): string[] {
  const { accounts, rejected, isComplete, orphans, errors } = outcome;
  const ofOrphans = [...orphans].map(([file, { count, firstRows }]) => {
    const more = count > firstRows.length ? ', ...' : '';
    return `Rows of ${file} without an account: ${count} (rows ${firstRows.join(', ')}${more})`;
  });
  const ofUnused = [...mapper.mapping.unused]
    .filter(([, columns]) => columns.length > 0)
    .map(([source, columns]) => `Columns of ${source} that are not used: ${columns.join(', ')}`);
  const { accounts: file, children } = mapper.mapping;
  const warnings = [file, ...children.values()].flatMap((one) => one.warnings?.describe() ?? []);
  return [
    `Accounts without errors: ${accounts}`,
    `Accounts with errors: ${rejected}`,
    ...ofOrphans,
    ...(isComplete
      ? mapper.totals.describe()
      : ['Not all accounts were read: rows without an account and control totals are not known.']),
    ...ofUnused,
    ...(warnings.length > 0 ? ['Warnings, each with its first place:'] : []),
    ...warnings.map((warning) => `  ${warning}`),
    ...describeErrors(errors),
  ];
}

export function describeErrors(errors: readonly string[]): string[] {
  if (errors.length === 0) return [];
  return ['The most frequent errors, each with its first row:', ...errors.map((line) => `  ${line}`)];
}
