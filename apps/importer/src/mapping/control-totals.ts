import { AMOUNTS, type Expected, MEASURES } from '../book/expected';
import { UsageError } from '../usage-error';
import type { RowError } from './account-builder';
import { cellOf, type CsvFile, type CsvRow } from './csv-file';
import { type Conversion, readConversion } from './form';
import { DECIMAL_MEMBERS } from './form-definitions';
import { type Members, SCALAR } from './member';
import { Scope, type UsedColumns } from './scope';
import { failAt, isYamlObject, objectAt, textAt, type YamlNode } from './yaml-node';

type Measure = keyof Expected;

/** A control total of the source, which the reconciliation compares with what was imported. */
export interface TotalPlan {
  readonly measure: Measure;
  readonly file: CsvFile;
  /** The column that is summed, or that a row has to have to be counted. */
  readonly column: { readonly index: number; readonly name: string } | undefined;
  /** How a cell is read that is summed; undefined if rows are counted. */
  readonly conversion: Conversion | undefined;
}

const FORMS = "{ sum: COLUMN, decimal: ',' } or { count: SOURCE }";

/** The members of a total that counts rows. */
export const COUNT_MEMBERS: Members = {
  count: { schema: SCALAR, description: 'The source whose rows are counted.', isRequired: true },
  column: { schema: SCALAR, description: 'Only rows that have a value in this column are counted.' },
};

/** The members of a total that sums a column. */
export const SUM_MEMBERS: Members = {
  sum: { schema: SCALAR, description: 'The column that is summed.', isRequired: true },
  source: { schema: SCALAR, description: 'Its source; by default that of the accounts.' },
  ...DECIMAL_MEMBERS,
};

/** Reads `totals`. @throws UsageError that names the path of the mistake */
export function readTotals(
  node: YamlNode | undefined,
  files: ReadonlyMap<string, CsvFile>,
  used: UsedColumns,
): TotalPlan[] {
  const totals = objectAt(node ?? {}, 'totals', MEASURES, 'the control totals by measure');
  return Object.entries(totals).map(([name, form]) => {
    const path = `totals.${name}`;
    const measure = name as Measure;
    if (!isYamlObject(form)) failAt(path, `Give ${FORMS}.`);
    if (form['sum'] !== undefined) return readSum(measure, form, path, files, used);
    if (AMOUNTS.includes(measure)) failAt(path, "It is an amount: give { sum: COLUMN, decimal: ',' }.");
    objectAt(form, path, Object.keys(COUNT_MEMBERS), FORMS);
    const file = fileAt(form['count'], `${path}.count`, files);
    const column = form['column'];
    const use =
      column === undefined
        ? undefined
        : Scope.ofAccount(file, used).use(textAt(column, `${path}.column`, 'a column'), `${path}.column`);
    return { measure, file, column: use, conversion: undefined };
  });
}

function readSum(
  measure: Measure,
  form: Record<string, YamlNode>,
  path: string,
  files: ReadonlyMap<string, CsvFile>,
  used: UsedColumns,
): TotalPlan {
  objectAt(form, path, Object.keys(SUM_MEMBERS), FORMS);
  const [first] = [...files.keys()];
  const file = fileAt(form['source'] ?? first, `${path}.source`, files);
  const column = Scope.ofAccount(file, used).use(
    textAt(form['sum'], `${path}.sum`, 'a column'),
    `${path}.sum`,
  );
  return { measure, file, column, conversion: readConversion('decimal', form, path) };
}

function fileAt(node: YamlNode | undefined, path: string, files: ReadonlyMap<string, CsvFile>): CsvFile {
  const name = textAt(node, path, 'a source');
  const file = files.get(name);
  if (file === undefined)
    failAt(path, `There is no source ${name}. The sources are ${[...files.keys()].join(', ')}.`);
  return file;
}

/** Sums and counts the rows of all sources. */
export class ControlTotals {
  private readonly totals: readonly { plan: TotalPlan; sum: ExactSum; unreadable: number }[];

  constructor(plans: readonly TotalPlan[]) {
    this.totals = plans.map((plan) => ({ plan, sum: new ExactSum(), unreadable: 0 }));
  }

  /** @returns the cells that should be summed and cannot be read */
  add(file: CsvFile, row: CsvRow): RowError[] {
    const errors: RowError[] = [];
    for (const total of this.totals) {
      const { measure, column, conversion } = total.plan;
      if (total.plan.file !== file) continue;
      const cell = column === undefined ? undefined : cellOf(row, column.index);
      if (cell === '') continue;
      const value = conversion === undefined || cell === undefined ? '1' : conversion.read(cell);
      if (value !== undefined) {
        total.sum.add(value);
        continue;
      }
      total.unreadable += 1;
      errors.push({
        source: file.settings.name,
        file: file.settings.file,
        row: row.row,
        column: column?.name,
        value: cell,
        code: 'unreadable_cell',
        attr: `totals.${measure}`,
        detail: `Expected ${conversion?.expected ?? ''}.`,
      });
    }
    return errors;
  }

  /** The totals as a submission takes them. @throws UsageError if a sum has more decimals than its measure */
  toExpected(): Expected {
    const totals = this.totals.map(({ plan: { measure }, sum }) => {
      const text = sum.toText();
      const isAmount = AMOUNTS.includes(measure);
      if (!(isAmount ? /^-?\d{1,17}(\.\d{1,2})?$/ : /^-?\d{1,15}$/).test(text))
        throw new UsageError(
          `totals.${measure}: the total ${text} ${isAmount ? 'has more than two decimals or is too large' : 'is not a whole number'}.`,
        );
      return [measure, isAmount ? text : Number(text)];
    });
    return Object.fromEntries(totals) as Expected;
  }

  /** A line for each total. */
  describe(): string[] {
    return this.totals.map(({ plan: { measure }, sum, unreadable }) => {
      const without = unreadable === 0 ? '' : `, without ${unreadable} cells that cannot be read`;
      return `Control total ${measure}: ${sum.toText()}${without}`;
    });
  }
}

/** A sum of decimal texts. */
class ExactSum {
  private units = 0n;
  private decimals = 0;

  add(text: string): void {
    const [whole = '', places = ''] = text.split('.');
    if (places.length > this.decimals) {
      this.units *= 10n ** BigInt(places.length - this.decimals);
      this.decimals = places.length;
    }
    this.units += BigInt(whole + places.padEnd(this.decimals, '0'));
  }

  /** Without zeros at the end of the decimals. */
  toText(): string {
    const sign = this.units < 0n ? '-' : '';
    const digits = String(this.units < 0n ? -this.units : this.units).padStart(this.decimals + 1, '0');
    const whole = digits.slice(0, digits.length - this.decimals);
    const places = digits.slice(digits.length - this.decimals).replace(/0+$/, '');
    return `${sign}${whole}${places === '' ? '' : `.${places}`}`;
  }
}
