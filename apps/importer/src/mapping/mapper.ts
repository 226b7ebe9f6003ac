import { DigestTable, digestOf, keyOf } from '../book/digest-table';
import type { Step } from '../run/progress';
import { type RunContext } from '../run/run-context';
import { withProgress } from '../run/with-progress';
import { AccountBuilder, type BuiltRow, type RowError } from './account-builder';
import { AccountCheck } from './account-check';
import { ChildRows } from './child-rows';
import { ControlTotals } from './control-totals';
import { cellOf, type CsvFile, type CsvRow } from './csv-file';
import { ErrorTally } from './error-tally';
import type { Mapping } from './mapping';

/** What a mapping needs of a run. */
export type MapContext = Pick<RunContext, 'progress' | 'progressEveryMs' | 'clock'> & {
  stop: Pick<RunContext['stop'], 'signal'>;
};

/** A row of another source that belongs to no account. */
export interface Orphan {
  readonly file: CsvFile;
  readonly row: CsvRow;
  readonly error: RowError;
}

/** Maps the rows of the accounts one by one, once the rows of the other sources are grouped. */
export class Mapper {
  private readonly builder: AccountBuilder;
  private readonly check: AccountCheck;
  private readonly keys: Keys;

  private constructor(
    readonly mapping: Mapping,
    private readonly children: ReadonlyMap<string, ChildRows>,
    readonly totals: ControlTotals,
    /** Counts the errors of the first pass. */
    readonly tally: ErrorTally,
    now: Date,
  ) {
    const { accounts, plans, supplier } = mapping;
    this.builder = new AccountBuilder(accounts, plans, children);
    this.check = new AccountCheck(supplier, now);
    this.keys = new Keys(accounts);
  }

  /**
   * Groups the rows of the other sources.
   *
   * @param now the day that rules compare with
   * @throws UsageError if a file cannot be read
   */
  static async open(mapping: Mapping, now: Date, context: MapContext): Promise<Mapper> {
    const children = new Map<string, ChildRows>();
    const totals = new ControlTotals(mapping.totals);
    const tally = new ErrorTally();
    for (const [name, file] of mapping.children) {
      const work = async () =>
        ChildRows.read(file, context.stop.signal, (row) => {
          for (const error of totals.add(file, row)) tally.add(error);
        });
      children.set(name, await showingProgress('grouped', file, context, () => '', work));
    }
    return new Mapper(mapping, children, totals, tally, now);
  }

  /** The text by which a row is joined with those of other sources. */
  keyOf(row: CsvRow): string {
    const { accounts } = this.mapping;
    return cellOf(row, accounts.indexOf(accounts.settings.key) as number);
  }

  /** A key that is empty, or that an earlier row has: then the rows of other sources are those of the earlier one. */
  keyErrorOf(row: CsvRow): RowError | undefined {
    return this.keys.check(this.keyOf(row), row.row);
  }

  /** Releases the keys after the first pass: the repeated ones stay known. */
  finishKeys(): void {
    this.keys.finish();
  }

  build(row: CsvRow): BuiltRow {
    return this.builder.build(row);
  }

  errorsOf(built: BuiltRow): RowError[] {
    return this.check.errorsOf(built);
  }

  /** What is allowed but implausible in an account without errors. */
  warningsOf(built: BuiltRow): RowError[] {
    return this.check.warningsOf(built);
  }

  /** The rows that no account has asked for. Call after the last account. */
  async *orphans(): AsyncGenerator<Orphan> {
    for (const [source, rows] of this.children) {
      const { file } = rows;
      const { settings } = file;
      for await (const row of rows.orphans()) {
        const error: RowError = {
          source,
          file: settings.file,
          row: row.row,
          column: settings.key,
          value: cellOf(row, file.indexOf(settings.key) as number),
          code: 'no_account',
          detail: 'No account has a row with this key.',
        };
        yield { file, row, error };
      }
    }
  }

  async close(): Promise<void> {
    for (const rows of this.children.values()) await rows.close();
  }
}

/** Shows how much of a file was read, and an estimate of the time until its end. */
export async function showingProgress<T>(
  label: string,
  file: CsvFile,
  { progress, progressEveryMs, clock }: MapContext,
  details: () => string,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = clock.now();
  const step = (): Step => {
    const fraction = file.fractionRead;
    const leftMs = fraction === 0 ? 0 : ((clock.now() - startedAt) * (1 - fraction)) / fraction;
    const left = leftMs < 1000 ? [] : [`${Math.round(leftMs / 1000)} s left`];
    const counted = details();
    const parts = [file.settings.file, ...(counted === '' ? [] : [counted]), ...left];
    return { label, fraction, details: parts.join(', ') };
  };
  return withProgress(progress, progressEveryMs, () => [step()], work);
}

/** Finds keys that are empty or that an earlier row has. */
class Keys {
  /** The first row of each key, until all were read. */
  private rows: DigestTable | undefined = new DigestTable();
  /** The earlier row of those whose key is repeated. */
  private readonly earlierOf = new Map<number, number>();

  constructor(private readonly accounts: CsvFile) {}

  check(value: string, row: number): RowError | undefined {
    const { name, file, key } = this.accounts.settings;
    const about = { source: name, file, row, column: key, value };
    if (value === '') return { ...about, code: 'empty_key', detail: 'Every row needs its key.' };
    const digest = digestOf(value);
    const content = digest.readBigUInt64LE(8);
    const known = this.rows?.add(keyOf(digest), content, row);
    if (known?.content === content) this.earlierOf.set(row, known.line);
    const earlier = this.earlierOf.get(row);
    if (earlier === undefined) return undefined;
    return { ...about, code: 'repeated_key', detail: `Row ${earlier} has the same key.` };
  }

  /** Releases the keys. */
  finish(): void {
    this.rows = undefined;
  }
}
