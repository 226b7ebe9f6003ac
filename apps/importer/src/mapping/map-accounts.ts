import { AccountBuilder, type RowError } from './account-builder';
import { AccountCheck } from './account-check';
import { ChildRows } from './child-rows';
import type { CsvRow } from './csv-file';
import { ErrorTally } from './error-tally';
import type { Mapping } from './mapping';
import { UsageError } from '../usage-error';
import type { RejectedRows } from './rejected-rows';

/** What has become of the rows. */
export interface MapOutcome {
  readonly accounts: number;
  readonly rejected: number;
  /** True if every row of the accounts was read. */
  readonly isComplete: boolean;
  /** The rows of other sources that belong to no account, by file. Not known if not every account was read. */
  readonly orphans: ReadonlyMap<string, readonly CsvRow[]>;
  /** The most frequent errors, a line each. */
  readonly errors: readonly string[];
}

/** Where accounts go. */
export interface MapTarget {
  /** Takes an account without errors, as a line of a book. */
  writeAccount(line: string): Promise<void>;
  readonly rejected: RejectedRows;
  /** The number of rows to read at most; undefined is all of them. */
  readonly rows: number | undefined;
  readonly now: Date;
}

/** Maps and validates the accounts of a source in their order. @throws UsageError if a file cannot be read further */
export async function mapAccounts(mapping: Mapping, target: MapTarget): Promise<MapOutcome> {
  const { accounts: file, plan, supplier } = mapping;
  const children = new Map<string, ChildRows>();
  for (const [name, child] of mapping.children) children.set(name, await ChildRows.read(child));
  const builder = new AccountBuilder(file, plan, children);
  const check = new AccountCheck(supplier, target.now);
  const keys = new Keys(file.settings.name, file.settings.file, file.settings.key);
  const keyIndex = file.indexOf(file.settings.key) as number;
  const tally = new ErrorTally();
  let accounts = 0;
  let rejected = 0;
  let isComplete = true;
  for await (const row of file.rows()) {
    if (accounts + rejected === target.rows) {
      isComplete = false;
      break;
    }
    const keyError = keys.check((row.cells[keyIndex] as string).trim(), row.row);
    // The rows of other sources are those of the first account with the key.
    const built = keyError === undefined ? builder.build(row) : undefined;
    const errors = built === undefined ? [keyError as RowError] : check.errorsOf(built);
    if (built !== undefined && errors.length === 0) {
      accounts += 1;
      await target.writeAccount(`${JSON.stringify(built.account)}\n`);
    } else {
      rejected += 1;
      for (const error of errors) tally.add(error);
      await target.rejected.add(row, errors, built?.children ?? new Map());
    }
  }
  if (accounts + rejected === 0) throw new UsageError(`${file.settings.file} has a header and no rows.`);
  const orphans = isComplete ? findOrphans(children, tally, target.rejected) : new Map();
  return { accounts, rejected, isComplete, orphans, errors: tally.describe() };
}

/** Finds keys that are empty or that an earlier row has. */
class Keys {
  private readonly rows = new Map<string, number>();

  constructor(
    private readonly source: string,
    private readonly file: string,
    private readonly column: string,
  ) {}

  check(value: string, row: number): RowError | undefined {
    const { source, file, column } = this;
    const about = { source, file, row, column, value };
    if (value === '') return { ...about, code: 'empty_key', detail: 'Every row needs its key.' };
    const earlier = this.rows.get(value);
    if (earlier !== undefined)
      return { ...about, code: 'repeated_key', detail: `Row ${earlier} has the same key.` };
    this.rows.set(value, row);
    return undefined;
  }
}

function findOrphans(
  children: ReadonlyMap<string, ChildRows>,
  tally: ErrorTally,
  rejected: RejectedRows,
): Map<string, readonly CsvRow[]> {
  const found = new Map<string, readonly CsvRow[]>();
  for (const [source, rows] of children) {
    const { settings } = rows.file;
    const index = rows.file.indexOf(settings.key) as number;
    const orphans = rows.orphans();
    if (orphans.length === 0) continue;
    found.set(settings.file, orphans);
    const errors = new Map<CsvRow, RowError>();
    for (const row of orphans) {
      const value = (row.cells[index] as string).trim();
      const error: RowError = {
        source,
        file: settings.file,
        row: row.row,
        column: settings.key,
        value,
        code: 'no_account',
        detail: 'No account has a row with this key.',
      };
      errors.set(row, error);
      tally.add(error);
    }
    rejected.addOrphans(rows.file, errors);
  }
  return found;
}
