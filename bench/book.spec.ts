import { typicalBook } from './book';

describe('the book of a benchmark', () => {
  const book = typicalBook(200, 'BENCH');
  const accounts = book.payloads.map((payload) => JSON.parse(payload.toString()) as Record<string, unknown>);

  it('has accounts of 5.8 KB on average, for which the goals were set', () => {
    expect(book.meanBytes).toBeGreaterThan(5_600);
    expect(book.meanBytes).toBeLessThan(6_000);
  });

  it('has the requested number of different accounts and is reproducible', () => {
    expect(new Set(accounts.map((account) => account['external_account_number'])).size).toBe(200);
    expect(typicalBook(200, 'BENCH')).toEqual(book);
    expect(typicalBook(200, 'BENCH', 2).payloads).not.toContainEqual(book.payloads[0]);
  });

  it('has no documents, which would require further jobs', () => {
    expect(book.payloads.join('')).not.toMatch(/statement_path|document_path/);
  });
});
