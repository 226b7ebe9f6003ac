import { resolve } from 'node:path';
import { type DayReader, dayReader } from './day-form';
import { type Members, objectSchema, SCALAR } from './member';
import { failAt, isYamlObject, objectAt, textAt, type YamlNode } from './yaml-node';

/** A CSV file of the supplier and how it is written. */
export interface SourceSettings {
  /** The name in the mapping file. */
  readonly name: string;
  /** The path as it was written, for messages. */
  readonly file: string;
  readonly path: string;
  readonly encoding: string;
  readonly delimiter: string;
  readonly quote: string;
  /** The column that joins the rows of all sources. */
  readonly key: string;
  /** The order of the rows with one key; undefined is that of the file. */
  readonly order: RowOrder | undefined;
}

/** A column whose text, or whose day, rows are sorted by. */
export interface RowOrder {
  readonly column: string;
  readonly read: DayReader | undefined;
}

/** The encodings that a source may have. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  ...Array.from({ length: 9 }, (_, index) => `windows-125${index}`),
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'cp437',
  'cp850',
  'cp858',
  'macroman',
];

const CHARACTER = { schema: { type: 'string', pattern: '^(tab|[^\\r\\n\\0])$' } };

/** The members of `order`, if it is an object. */
export const ORDER_MEMBERS: Members = {
  column: { schema: SCALAR, description: 'The column that rows are sorted by.', isRequired: true },
  date: {
    schema: { type: 'string', minLength: 1 },
    description: 'The form of its days, such as dd/MM/yyyy.',
    isRequired: true,
  },
};

/** The members of a source. */
export const SOURCE_MEMBERS: Members = {
  file: {
    schema: SCALAR,
    description: 'The path of the CSV file, from the folder of the mapping file.',
    isRequired: true,
  },
  encoding: { schema: { enum: ENCODINGS }, description: 'Its encoding; utf-8 by default.' },
  delimiter: { ...CHARACTER, description: 'What stands between cells: one character, or tab; , by default.' },
  quote: { ...CHARACTER, description: 'What stands around cells; " by default.' },
  key: { schema: SCALAR, description: 'The column that joins the rows of all files.', isRequired: true },
  order: {
    schema: { anyOf: [SCALAR, objectSchema(ORDER_MEMBERS)] },
    description: 'The order of the rows with one key; not for the first file.',
  },
};

/** The names of sources. */
export const SOURCE_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Reads `source`. The first one is that of the accounts.
 *
 * @param folder the folder of the mapping file, which paths start from
 * @throws UsageError
 */
export function readSources(node: YamlNode | undefined, folder: string): SourceSettings[] {
  const sources = objectAt(node, 'source', undefined, 'the CSV files by name, that of the accounts first');
  const read = Object.entries(sources).map(([name, source]) => readSource(name, source, folder));
  if (read.length === 0) failAt('source', 'Give the CSV files by name, that of the accounts first.');
  if (read[0]?.order !== undefined)
    failAt(`source.${read[0].name}.order`, 'Accounts keep the order of their file: leave it out.');
  return read;
}

function readSource(name: string, node: YamlNode, folder: string): SourceSettings {
  const path = `source.${name}`;
  if (!SOURCE_NAME.test(name))
    failAt(path, 'Give a name of 1 to 32 lower-case letters, digits and _, which starts with a letter.');
  const members = Object.keys(SOURCE_MEMBERS);
  const source = objectAt(node, path, members, `an object with ${members.join(', ')}`);
  const file = textAt(source['file'], `${path}.file`, 'the path of the CSV file');
  const encoding = textAt(source['encoding'] ?? 'utf-8', `${path}.encoding`, 'an encoding').toLowerCase();
  if (!ENCODINGS.includes(encoding)) failAt(`${path}.encoding`, `Allowed here: ${ENCODINGS.join(', ')}.`);
  const delimiter = characterAt(source['delimiter'] ?? ',', `${path}.delimiter`);
  const quote = characterAt(source['quote'] ?? '"', `${path}.quote`);
  if (delimiter === quote) failAt(`${path}.quote`, 'Give another character than that of delimiter.');
  return {
    name,
    file,
    path: resolve(folder, file),
    encoding,
    delimiter,
    quote,
    key: textAt(source['key'], `${path}.key`, 'the column that joins the rows of the sources'),
    order: source['order'] === undefined ? undefined : readOrder(source['order'], `${path}.order`),
  };
}

function characterAt(node: YamlNode, path: string): string {
  if (node === 'tab') return '\t';
  const text = textAt(node, path, 'one character, or tab');
  if (!/^[^\r\n\0]$/.test(text)) failAt(path, 'Give one character, or tab.');
  return text;
}

function readOrder(node: YamlNode, path: string): RowOrder {
  if (!isYamlObject(node)) return { column: textAt(node, path, 'a column'), read: undefined };
  const order = objectAt(node, path, Object.keys(ORDER_MEMBERS), 'a column, or { column, date }');
  const form = textAt(order['date'], `${path}.date`, 'a form such as dd/MM/yyyy');
  return {
    column: textAt(order['column'], `${path}.column`, 'a column'),
    read: dayReader(form, `${path}.date`),
  };
}
