import type { CsvFile } from './csv-file';
import { failAt } from './yaml-node';

/** A column that a mapping reads. */
export interface ColumnUse {
  /** How many `each` the value is inside of, at the level whose row has the column. */
  readonly level: number;
  readonly index: number;
  readonly name: string;
}

/** Records the columns that a mapping reads, by source. */
export class UsedColumns {
  private readonly bySource = new Map<string, Set<string>>();

  add(source: string, column: string): void {
    this.bySource.set(source, (this.bySource.get(source) ?? new Set()).add(column));
  }

  has(source: string, column: string): boolean {
    return this.bySource.get(source)?.has(column) ?? false;
  }
}

/** The rows that a value can be read from: that of the account, and those of the `each` around the value. */
export class Scope {
  private constructor(
    readonly file: CsvFile,
    readonly level: number,
    private readonly used: UsedColumns,
    readonly parent: Scope | undefined,
  ) {}

  static ofAccount(file: CsvFile, used: UsedColumns): Scope {
    return new Scope(file, 0, used, undefined);
  }

  inside(file: CsvFile): Scope {
    return new Scope(file, this.level + 1, this.used, this);
  }

  /** A column of the innermost row that has it. @throws UsageError if none has it */
  use(name: string, path: string): ColumnUse {
    return this.find(name) ?? this.failWithout(name, path);
  }

  /** A column of the innermost row itself. @throws UsageError if its file does not have it */
  useOwn(name: string, path: string): ColumnUse {
    return this.findOwn(name) ?? this.failWithout(name, path);
  }

  /** The level of the nearest row of a source, if there is one around the value. */
  levelOf(source: string): number | undefined {
    return this.file.settings.name === source ? this.level : this.parent?.levelOf(source);
  }

  private find(name: string): ColumnUse | undefined {
    return this.findOwn(name) ?? this.parent?.find(name);
  }

  private findOwn(name: string): ColumnUse | undefined {
    const index = this.file.indexOf(name);
    if (index === undefined) return undefined;
    this.used.add(this.file.settings.name, name);
    return { level: this.level, index, name };
  }

  private failWithout(name: string, path: string): never {
    const { settings, header } = this.file;
    failAt(path, `${settings.file} has no column ${name}. Its columns are ${header.columns.join(', ')}.`);
  }
}
