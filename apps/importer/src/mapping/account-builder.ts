import type { RequestKind, ScalarType } from './account-fields';
import type { ChildRows } from './child-rows';
import { cellOf, type CsvFile, type CsvRow } from './csv-file';
import type { Form } from './form';
import type { EachPlan, LinePlan, Plan } from './plan';
import type { ColumnUse } from './scope';

/** Something that is wrong with an account, in the words of its source. */
export interface RowError {
  /** The source whose row it is about. */
  readonly source: string;
  readonly file: string;
  readonly row: number;
  /** The columns of the value; undefined if the error is about no single value. */
  readonly column?: string;
  readonly value?: string;
  readonly code: string;
  /** The path in the account; undefined for an error of the source itself. */
  readonly attr?: string;
  readonly detail: string;
}

/** Where a value or an object of an account comes from. */
export type Origin = Pick<RowError, 'source' | 'file' | 'row' | 'column' | 'value'>;

/** A line of a book as it was mapped. */
export interface BuiltLine {
  readonly request: RequestKind;
  readonly value: Record<string, unknown>;
  /** Finds where its values come from, by path of the line. The line is made again for it, because few are asked. */
  readonly trace: () => ReadonlyMap<string, Origin>;
}

/** What a row of the accounts becomes. */
export interface BuiltRow {
  /** One account, or any number of additions. */
  readonly lines: readonly BuiltLine[];
  /** Cells that cannot be read: then the lines are not complete. */
  readonly errors: RowError[];
  /** The rows of other sources that it was made from, by source and number of the row. */
  readonly children: UsedRows;
}

/** Rows by source and number. */
export type UsedRows = ReadonlyMap<string, ReadonlyMap<number, CsvRow>>;

/** The rows of one level: those that an item is made from. */
interface Frame {
  readonly file: CsvFile;
  readonly rows: readonly [CsvRow, ...CsvRow[]];
}

/** A value, and whether a cell has contributed to it; undefined if it is left out. */
type Part = { readonly value: unknown; readonly hasCell: boolean } | undefined;

/** Makes lines of a book from rows, by their plans. */
export class AccountBuilder {
  constructor(
    private readonly accounts: CsvFile,
    private readonly plans: readonly LinePlan[],
    private readonly children: ReadonlyMap<string, ChildRows>,
  ) {}

  build(row: CsvRow): BuiltRow {
    const errors: RowError[] = [];
    const used = new Map<string, Map<number, CsvRow>>();
    const lines: BuiltLine[] = [];
    for (const { request, plan } of this.plans) {
      const frames: Frame[] = [{ file: this.accounts, rows: [row] }];
      const part = new Build(this.children, errors, used).make(plan, frames, '');
      // Without the rows of an addition there is none. An account without a value is left to the validation.
      if (part === undefined && request !== 'account') continue;
      const value = (part?.value ?? {}) as Record<string, unknown>;
      const trace = () => {
        const origins = new Map<string, Origin>();
        new Build(this.children, [], new Map(), origins).make(plan, frames, '');
        return origins;
      };
      lines.push({ request, value, trace });
    }
    return { lines, errors, children: used };
  }
}

/** The making of one line. */
class Build {
  constructor(
    private readonly children: ReadonlyMap<string, ChildRows>,
    private readonly errors: RowError[],
    private readonly used: Map<string, Map<number, CsvRow>>,
    /** Takes where values come from, if that is asked. */
    private readonly origins?: Map<string, Origin>,
  ) {}

  make(plan: Plan, frames: readonly Frame[], path: string): Part {
    if (plan.is === 'value') return this.makeValue(plan, frames, path);
    this.origins?.set(path, originOf(frames.at(-1) as Frame));
    if (plan.is === 'list') return this.makeList(plan.items, frames, path);
    if (plan.is === 'each') return this.makeEach(plan, frames, path);
    const value: Record<string, unknown> = {};
    let hasCell = false;
    for (const [name, field] of plan.fields) {
      const part = this.make(field, frames, path === '' ? name : `${path}.${name}`);
      if (part === undefined) continue;
      value[name] = part.value;
      hasCell ||= part.hasCell && !plan.identity.includes(name);
    }
    return plan.readsCells && !hasCell ? undefined : { value, hasCell };
  }

  private makeList(items: readonly Plan[], frames: readonly Frame[], path: string): Part {
    const values: unknown[] = [];
    let hasCell = false;
    for (const item of items) {
      const part = this.make(item, frames, `${path}.${values.length}`);
      if (part === undefined) continue;
      values.push(part.value);
      hasCell ||= part.hasCell;
    }
    return values.length === 0 ? undefined : { value: values, hasCell };
  }

  private makeEach(plan: EachPlan, frames: readonly Frame[], path: string): Part {
    const values = this.groupsOf(plan, frames).flatMap((frame, index) => {
      const part = this.make(plan.item, [...frames, frame], `${path}.${index}`);
      if (part !== undefined) return [part.value];
      // The row is there, so that its item is as well: what is missing in it is found by the validation.
      return plan.item.is === 'value' ? [null] : [{}];
    });
    return values.length === 0 ? undefined : { value: values, hasCell: true };
  }

  private groupsOf({ source, within, match, by }: EachPlan, frames: readonly Frame[]): Frame[] {
    const rows = this.children.get(source) as ChildRows;
    const { file } = rows;
    const key = this.textOf(match, frames);
    const own = within === undefined ? (key === '' ? [] : rows.rowsOf(key)) : (frames[within] as Frame).rows;
    this.recordUse(source, own);
    if (by === undefined) return own.map((row) => ({ file, rows: [row] }));
    const groups = new Map<string, [CsvRow, ...CsvRow[]]>();
    for (const row of own) {
      const value = cellOf(row, by.index);
      const group = groups.get(value);
      if (value === '')
        this.errors.push({
          ...originOf({ file, rows: [row] }),
          column: by.name,
          value,
          code: 'empty_cell',
          detail: 'The items are told apart by this column: give it a value.',
        });
      else if (group) group.push(row);
      else groups.set(value, [row]);
    }
    return [...groups.values()].map((group) => ({ file, rows: group }));
  }

  private recordUse(source: string, rows: readonly CsvRow[]): void {
    const used = this.used.get(source) ?? new Map<number, CsvRow>();
    this.used.set(source, used);
    for (const row of rows) used.set(row.row, row);
  }

  private makeValue(
    { form, type }: Extract<Plan, { is: 'value' }>,
    frames: readonly Frame[],
    path: string,
  ): Part {
    if (form.is === 'constant') {
      this.origins?.set(path, originOf(frames.at(-1) as Frame));
      return { value: typed(form.value, type), hasCell: false };
    }
    const text = form.columns
      .map((column) => this.textOf(column, frames))
      .filter((cell) => cell !== '')
      .join(form.join);
    this.origins?.set(path, this.originOfCells(form, frames, text));
    if (text === '')
      return form.default === undefined ? undefined : { value: typed(form.default, type), hasCell: false };
    const value = form.conversion === undefined ? text : form.conversion.read(text);
    if (value !== undefined) return { value: typed(value, type), hasCell: true };
    const expected = form.conversion?.expected ?? '';
    const origin = this.originOfCells(form, frames, text);
    this.errors.push({ ...origin, code: 'unreadable_cell', attr: path, detail: `Expected ${expected}.` });
    return undefined;
  }

  private originOfCells(
    { columns }: Extract<Form, { is: 'cells' }>,
    frames: readonly Frame[],
    value: string,
  ): Origin {
    const [first] = columns as readonly [ColumnUse, ...ColumnUse[]];
    const column = columns.map(({ name }) => name).join(', ');
    return { ...originOf(frames[first.level] as Frame), column, value };
  }

  /** The text of a cell. Rows that make one item have to agree about it. */
  private textOf({ level, index, name }: ColumnUse, frames: readonly Frame[]): string {
    const { file, rows } = frames[level] as Frame;
    const text = cellOf(rows[0], index);
    const other = rows.find((row) => cellOf(row, index) !== text);
    if (other !== undefined)
      this.errors.push({
        ...originOf({ file, rows: [other] }),
        column: name,
        value: cellOf(other, index),
        code: 'different_cells',
        detail: `Row ${rows[0].row} has ${JSON.stringify(text)}, and both make one item.`,
      });
    return text;
  }
}

function originOf({ file, rows }: Frame): Origin {
  return { source: file.settings.name, file: file.settings.file, row: rows[0].row };
}

/** The JSON value of a text where the contract has no text. Other texts are left to the validation. */
function typed(text: string, type: ScalarType): unknown {
  if (type === 'json') return parsed(text);
  if (type === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'integer' && /^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
