import { join } from 'node:path';
import { BookSource } from './book';

const EXAMPLES = join(__dirname, '..', 'examples');
const sourceOf = (seed = 1) => new BookSource('BENCH', seed, EXAMPLES);

describe('the book of a benchmark', () => {
  const book = sourceOf().next(200);
  const accounts = book.payloads.map((payload) => JSON.parse(payload.toString()) as Record<string, unknown>);

  it('has accounts of 5.8 KB on average, for which the goals were set', () => {
    expect(book.meanBytes).toBeGreaterThan(5_600);
    expect(book.meanBytes).toBeLessThan(6_000);
  });

  it('has the requested number of different accounts and is reproducible', () => {
    expect(new Set(accounts.map((account) => account['external_account_number'])).size).toBe(200);
    // Of whole buffers: to compare them byte by byte takes seconds.
    expect(Buffer.concat(sourceOf().next(200).payloads).equals(Buffer.concat(book.payloads))).toBe(true);
  });

  it('has accounts that no other book of the source has', () => {
    const source = sourceOf();
    const first = source.next(20).payloads;
    expect(
      source.next(20).payloads.filter((payload) => first.some((other) => other.equals(payload))),
    ).toEqual([]);
    expect(sourceOf(2).next(1).payloads).not.toEqual(book.payloads.slice(0, 1));
  });

  it('has no documents, which would require further jobs', () => {
    expect(book.payloads.join('')).not.toMatch(/statement_path|document_path/);
  });
});
