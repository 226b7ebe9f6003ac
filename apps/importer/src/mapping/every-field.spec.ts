import { MappingFolder } from '../../test/mapping-folder';
import { bodyFields, type FieldType, type ScalarType } from './account-fields';

/** A mapping of fields, in a form that JSON and so YAML has, with the account that its cells make. */
interface Mapped {
  readonly form: unknown;
  readonly value: unknown;
}

/** A file with a column for each field that it was asked for. */
class WideFile {
  readonly columns: string[] = [];
  readonly rows: string[][];

  constructor(
    readonly name: string,
    rows: number,
  ) {
    this.rows = Array.from({ length: rows }, () => []);
  }

  /** A new column. @returns its name and the values of its cells */
  column(type: ScalarType): { name: string; values: unknown[] } {
    const number = this.columns.length;
    const name = `${this.name.toUpperCase()}_${number}`;
    this.columns.push(name);
    const values = this.rows.map((row, index) => {
      const value = valueOf(type, number, index);
      row.push(typeof value === 'string' ? value : JSON.stringify(value));
      return value;
    });
    return { name, values };
  }

  get csv(): string {
    const lines = this.rows.map((row) =>
      ['1', ...row].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
    );
    return `${['NO', ...this.columns].join(',')}\n${lines.join('\n')}\n`;
  }
}

function valueOf(type: ScalarType, column: number, row: number): unknown {
  if (type === 'flag') return (column + row) % 2 === 0;
  if (type === 'integer') return column * 10 + row;
  return type === 'json' ? { column, row } : `value ${column} of ${row}`;
}

/** Counts the plain values of an account. */
function count(value: unknown): number {
  if (typeof value !== 'object' || value === null || 'column' in value) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + count(part), 0);
}

describe('Every field of the account can be mapped', () => {
  let folder: MappingFolder;
  beforeEach(() => {
    folder = new MappingFolder();
  });

  const build = async (form: unknown, files: readonly WideFile[]): Promise<unknown> => {
    for (const file of files) folder.write(`${file.name}.csv`, file.csv);
    const source = Object.fromEntries(files.map(({ name }) => [name, { file: `${name}.csv`, key: 'NO' }]));
    return folder.buildFirst(JSON.stringify({ source, account: form }));
  };

  /** The fields of an object, each by `map`. */
  const fieldsOf = (
    type: Extract<FieldType, { is: 'object' }>,
    map: (field: FieldType) => Mapped,
  ): Mapped => {
    const mapped = [...type.fields].map(([name, field]) => [name, map(field())] as const);
    return {
      form: Object.fromEntries(mapped.map(([name, { form }]) => [name, form])),
      value: Object.fromEntries(mapped.map(([name, { value }]) => [name, value])),
    };
  };

  it.each([1, 2])(
    'is read from one wide file, with lists of %d items of their own columns',
    async (items) => {
      const file = new WideFile('a', 1);
      const map = (type: FieldType): Mapped => {
        if (type.is === 'object') return fieldsOf(type, map);
        if (type.is === 'list') {
          const mapped = Array.from({ length: items }, () => map(type.items));
          return { form: mapped.map(({ form }) => form), value: mapped.map(({ value }) => value) };
        }
        const { name, values } = file.column(type.is);
        return { form: name, value: values[0] };
      };
      const { form, value } = map(bodyFields('account'));
      expect(await build(form, [file])).toEqual(value);
      expect(count(value)).toBe(file.columns.length);
      expect(file.columns.length).toBeGreaterThan(600);
    },
  );

  it('is read from several files by key, with lists in lists', async () => {
    const accounts = new WideFile('a', 1);
    const files = [accounts];
    /** @returns a value for each row of the file */
    const mapIn = (type: FieldType, file: WideFile): { form: unknown; values: unknown[] } => {
      if (type.is === 'object') {
        const mapped = [...type.fields].map(([name, field]) => [name, mapIn(field(), file)] as const);
        return {
          form: Object.fromEntries(mapped.map(([name, { form }]) => [name, form])),
          values: file.rows.map((_, row) =>
            Object.fromEntries(mapped.map(([name, { values }]) => [name, values[row]])),
          ),
        };
      }
      if (type.is !== 'list') {
        const { name, values } = file.column(type.is);
        return { form: name, values };
      }
      // The outermost lists have a file each, with two rows; the lists in them have the row of their item.
      const isOutermost = file === accounts;
      const rows = isOutermost ? new WideFile(`f${files.length}`, 2) : file;
      if (isOutermost) files.push(rows);
      const { form, values } = mapIn(type.items, rows);
      const each = { each: rows.name };
      return {
        form: type.items.is === 'object' ? { ...each, ...(form as object) } : { ...each, item: form },
        values: isOutermost ? [values] : values.map((value) => [value]),
      };
    };
    const { form, values } = mapIn(bodyFields('account'), accounts);
    expect(await build(form, files)).toEqual(values[0]);
    expect(files.length).toBeGreaterThan(20);
  });
});
