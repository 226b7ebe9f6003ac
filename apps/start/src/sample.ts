import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from './paths';

/** A part of the sample book: the accounts of one supplier. */
export interface SamplePart {
  supplier: string;
  profile: 'core' | 'gb-energy';
  /** The name of its files in the demo's directory. */
  name: string;
  book: string;
  /** Its expected result, with the totals of what is to be imported. */
  expected: string;
  /** The book of additions to its imported accounts. */
  additions?: string;
  /** True for a part that is sent again, with accounts that differ from those that are imported. */
  isSecondVersion?: boolean;
}

/** The suppliers of the demo with their parts of the sample book. */
export const SAMPLE: readonly SamplePart[] = [
  {
    supplier: 'DEMO',
    profile: 'core',
    name: 'book',
    book: join(EXAMPLES, 'book.ndjson'),
    expected: join(EXAMPLES, 'book.expected.json'),
    additions: join(EXAMPLES, 'additions.ndjson'),
  },
  {
    supplier: 'DEMO_GB',
    profile: 'gb-energy',
    name: 'book-gb-energy',
    book: join(EXAMPLES, 'book-gb-energy.ndjson'),
    expected: join(EXAMPLES, 'book-gb-energy.expected.json'),
  },
];

const CHANGED_ACCOUNTS = 12;

/**
 * Writes a second version of a part, as a supplier sends it before the cut-over: twelve accounts have another
 * name on their bills. Its totals are those of the first version.
 */
export function writeSecondVersion(part: SamplePart, directory: string): SamplePart {
  const name = `${part.name}-second`;
  const book = join(directory, `${name}.ndjson`);
  let changed = 0;
  const lines = readFileSync(part.book, 'utf8')
    .split('\n')
    .map((line) => {
      if (changed === CHANGED_ACCOUNTS || !line.includes('"billing_name":')) return line;
      changed += 1;
      return line.replace(/"billing_name":"([^"]*)"/, '"billing_name":"$1, c/o Reed"');
    });
  writeFileSync(book, lines.join('\n'), { mode: 0o600 });
  return { ...part, name, book, isSecondVersion: true };
}
