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
  /** Requests about its imported accounts, and their expected result. */
  afterImport?: { file: string; expected: string };
}

/** The suppliers of the demo with their parts of the sample book. */
export const SAMPLE: readonly SamplePart[] = [
  {
    supplier: 'DEMO',
    profile: 'core',
    name: 'book',
    book: join(EXAMPLES, 'book.ndjson'),
    expected: join(EXAMPLES, 'book.expected.json'),
    afterImport: {
      file: join(EXAMPLES, 'after-import.ndjson'),
      expected: join(EXAMPLES, 'after-import.expected.json'),
    },
  },
  {
    supplier: 'DEMO_GB',
    profile: 'gb-energy',
    name: 'book-gb-energy',
    book: join(EXAMPLES, 'book-gb-energy.ndjson'),
    expected: join(EXAMPLES, 'book-gb-energy.expected.json'),
  },
];
