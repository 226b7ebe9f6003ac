import { isJsonObject } from '@portage/client';
import { resolve } from 'node:path';
import { JsonLinesFile } from '../book/json-lines-file';
import { parseJsonLine } from '../book/json-line';
import { CsvFile } from '../mapping/csv-file';
import { guessCsv } from '../mapping/init/csv-guess';
import { UsageError } from '../usage-error';
import { FieldProfile, type FieldSummary, ValueBudget } from './field-profile';

/** How many fields of a book are profiled; a book of the contract has fewer. */
const MAX_FIELDS = 2000;

/** What is known about a file. */
export interface FileProfile {
  readonly file: string;
  /** How the file was read. */
  readonly format: string;
  readonly rows: number;
  /** Lines that were not read, if there are any. */
  readonly problem: string | undefined;
  readonly fields: readonly FieldSummary[];
}

/** Shows how much of a file was read while the work reads it. */
export type ShowReading = (
  file: { readonly fractionRead: number },
  work: () => Promise<void>,
) => Promise<void>;

/** Profiles a CSV file, or a book by the name of the file. @throws UsageError if it cannot be read */
export async function profileFile(
  file: string,
  show: ShowReading = async (_file, work) => work(),
): Promise<FileProfile> {
  return /\.(ndjson|jsonl)(\.gz)?$/i.test(file) ? profileBook(file, show) : profileCsv(file, show);
}

async function profileCsv(file: string, show: ShowReading): Promise<FileProfile> {
  const { encoding, delimiter } = await guessCsv(file);
  const csv = await CsvFile.open({
    name: 'profile',
    file,
    path: resolve(file),
    encoding: encoding.value,
    delimiter: delimiter.value,
    quote: '"',
    key: '',
    order: undefined,
  });
  const budget = new ValueBudget();
  const fields = csv.header.columns.map((column) => new FieldProfile(column, budget));
  let rows = 0;
  await show(csv, async () => {
    for await (const { row, cells } of csv.rows()) {
      rows += 1;
      for (const [index, field] of fields.entries()) {
        const text = (cells[index] as string).trim();
        if (text !== '') field.add(text, row);
      }
    }
  });
  const separator = delimiter.value === '\t' ? 'tab' : delimiter.value;
  return {
    file,
    format: `CSV in ${encoding.value} (${encoding.reason}), delimiter ${separator} (${delimiter.reason})`,
    rows,
    problem: undefined,
    fields: fields.map((field) => field.summary()),
  };
}

async function profileBook(file: string, show: ShowReading): Promise<FileProfile> {
  const book = await JsonLinesFile.open(file, new AbortController().signal);
  const fields = new BookFields();
  let rows = 0;
  let bad = 0;
  let problem: string | undefined;
  try {
    await show(book, async () => {
      for await (const line of book.parse(parseJsonLine)) {
        if (line.kind === 'object') {
          rows += 1;
          // A line may be the account itself, or have it as its payload.
          const { payload, ...others } = line.value;
          if (isJsonObject(payload)) fields.add(payload, '', line.line);
          fields.add(isJsonObject(payload) ? others : line.value, '', line.line);
        } else {
          bad += 1;
          problem ??= `line ${line.line}: ${line.detail}`;
        }
      }
    });
  } finally {
    await book.close();
  }
  if (rows === 0) throw new UsageError(problem === undefined ? `${file} is empty.` : `${file}, ${problem}`);
  return {
    file,
    format: 'A book, with a row for each line',
    rows,
    problem: problem && `Lines that were not read: ${bad}. The first is ${problem}`,
    fields: fields.summaries(),
  };
}

/** The fields of a book by their paths, in the order in which they are met. */
class BookFields {
  private readonly budget = new ValueBudget();
  private readonly byPath = new Map<string, FieldProfile>();

  add(value: unknown, path: string, line: number): void {
    if (Array.isArray(value)) for (const item of value) this.add(item, `${path}[]`, line);
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value))
        this.add(member, path === '' ? name : `${path}.${name}`, line);
    else if (value !== null && value !== '')
      this.fieldAt(path).add(typeof value === 'string' ? value : JSON.stringify(value), line);
  }

  summaries(): FieldSummary[] {
    return [...this.byPath.values()].map((field) => field.summary());
  }

  private fieldAt(path: string): FieldProfile {
    const known = this.byPath.get(path);
    if (known) return known;
    if (this.byPath.size === MAX_FIELDS)
      throw new UsageError(`The book has more than ${MAX_FIELDS} fields, which is no book of accounts.`);
    const field = new FieldProfile(path, this.budget);
    this.byPath.set(path, field);
    return field;
  }
}
