import { dayReader } from './day-form';
import { decimalReader } from './decimal-form';
import { type FormDefinition, FORMS } from './form-definitions';
import { phoneReader } from './phone-form';
import { escapeUnseen } from './quote-value';
import type { ColumnUse, Scope } from './scope';
import {
  failAt,
  flagAt,
  isYamlObject,
  objectAt,
  textAt,
  textsAt,
  type YamlNode,
  type YamlObject,
} from './yaml-node';

/** How the text of a cell becomes a value. */
export interface Conversion {
  /** What a cell has to be, for errors. */
  readonly expected: string;
  /** Undefined if the text cannot be read. */
  readonly read: (text: string) => string | undefined;
}

/** Where a plain value comes from. */
export type Form =
  | { readonly is: 'constant'; readonly value: string }
  | {
      readonly is: 'cells';
      readonly columns: readonly ColumnUse[];
      readonly join: string;
      readonly conversion: Conversion | undefined;
      /** The value if all cells are empty. */
      readonly default: string | undefined;
    };

const ALLOWED =
  'a column, or an object with column and one of date, decimal, values, phone, or with columns and join, or with value';

/** Reads where a plain value comes from. @throws UsageError */
export function readForm(node: YamlNode, path: string, scope: Scope): Form {
  if (typeof node === 'string') return ofCells([scope.use(textAt(node, path, ALLOWED), path)]);
  if (!isYamlObject(node)) failAt(path, `Give ${ALLOWED}.`);
  const name = Object.keys(FORMS).find((member) => Object.hasOwn(node, member));
  if (name === undefined) failAt(path, `Give ${ALLOWED}.`);
  const form = objectAt(node, path, Object.keys((FORMS[name] as FormDefinition).members), ALLOWED);
  if (name === 'value') return { is: 'constant', value: textAt(form['value'], `${path}.value`, 'a text') };
  const fallback =
    form['default'] === undefined ? undefined : textAt(form['default'], `${path}.default`, 'a text');
  if (name === 'columns') {
    const columns = textsAt(form['columns'], `${path}.columns`, 'a list of columns');
    if (columns.length === 0) failAt(`${path}.columns`, 'Give a list of columns.');
    const { join } = form;
    if (typeof join !== 'string') failAt(`${path}.join`, "Give the text between the cells, such as ' '.");
    return {
      ...ofCells(columns.map((column, index) => scope.use(column, `${path}.columns.${index}`))),
      join,
      default: fallback,
    };
  }
  const column = scope.use(textAt(form['column'], `${path}.column`, 'a column'), `${path}.column`);
  return { ...ofCells([column]), conversion: readConversion(name, form, path), default: fallback };
}

function ofCells(columns: readonly ColumnUse[]): Extract<Form, { is: 'cells' }> {
  return { is: 'cells', columns, join: '', conversion: undefined, default: undefined };
}

/** The conversion of a form, by the member that the form is known by. @throws UsageError */
export function readConversion(name: string, form: YamlObject, path: string): Conversion | undefined {
  if (name === 'date') {
    const days = textAt(form['date'], `${path}.date`, 'a form such as dd/MM/yyyy');
    return { expected: `a day as ${days}`, read: dayReader(days, `${path}.date`) };
  }
  if (name === 'decimal') {
    const decimal = textAt(form['decimal'], `${path}.decimal`, "'.' or ','");
    const thousands =
      form['thousands'] === undefined
        ? undefined
        : textAt(form['thousands'], `${path}.thousands`, 'a character');
    const negate = flagAt(form['negate'], `${path}.negate`);
    return {
      expected: `a number as 1${escapeUnseen(thousands ?? '')}234${decimal}56`,
      read: decimalReader({ decimal, thousands, negate }, path),
    };
  }
  if (name === 'phone') {
    const country = textAt(form['phone'], `${path}.phone`, 'a country');
    return {
      expected: `a phone number of ${country}, or one with + and its country code`,
      read: phoneReader(country, `${path}.phone`),
    };
  }
  if (name !== 'values') return undefined;
  const values = objectAt(form['values'], `${path}.values`, undefined, 'the values by cell');
  const byCell = new Map(
    Object.entries(values).map(([cell, value]) => [cell, textAt(value, `${path}.values.${cell}`, 'a text')]),
  );
  if (byCell.has('')) failAt(`${path}.values`, 'An empty cell is no value: give it with default.');
  if (byCell.size === 0) failAt(`${path}.values`, 'Give the values by cell.');
  return { expected: `one of ${[...byCell.keys()].join(', ')}`, read: (text) => byCell.get(text) };
}
