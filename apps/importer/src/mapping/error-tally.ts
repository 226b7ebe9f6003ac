import type { RowError } from './account-builder';
import { quoteValue } from './quote-value';

/** How many kinds of errors are printed. */
const SHOWN = 10;

/** Counts errors of the same kind, each with its first example. */
export class ErrorTally {
  private readonly kinds = new Map<string, { count: number; example: RowError }>();

  add(error: RowError): void {
    const { source, column = '', code, attr = '' } = error;
    // Items of one list are of one kind.
    const kind = [source, column, code, attr.replaceAll(/\d+/g, '*')].join('\n');
    const known = this.kinds.get(kind);
    if (known) known.count += 1;
    else this.kinds.set(kind, { count: 1, example: error });
  }

  /** The most frequent kinds, as lines of text; those of equal frequency in the order in which they were found. */
  describe(): string[] {
    const kinds = [...this.kinds.values()].sort((one, other) => other.count - one.count);
    const lines = kinds.slice(0, SHOWN).map(({ count, example }) => `${count} × ${describeError(example)}`);
    const more = kinds.length - lines.length;
    return more > 0 ? [...lines, `and ${more} more kinds of errors`] : lines;
  }
}

/** An error as one line: file, row, column, value, code and what to do. */
export function describeError({ file, row, column, value, code, attr, detail }: RowError): string {
  const cell = column === undefined ? '' : `, ${column}`;
  const shown = value === undefined ? '' : ` ${quoteValue(value)}`;
  const where = attr === undefined ? '' : ` at ${attr}`;
  return `${file} row ${row}${cell}${shown}: ${code}${where}. ${detail}`;
}
