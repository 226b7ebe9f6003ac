import { typicalBook } from './book';

describe('the book of a benchmark', () => {
  const book = typicalBook(200, 'BENCH');
  const accounts = book.payloads.map((payload) => JSON.parse(payload.toString()) as Record<string, unknown>);

  it('has accounts of 5.8 KB on average, as those that the goals were set with', () => {
    expect(book.meanBytes).toBeGreaterThan(5_600);
    expect(book.meanBytes).toBeLessThan(6_000);
  });

  it('has as many accounts as were asked for, each another, and the same every time', () => {
    expect(new Set(accounts.map((account) => account['external_account_number'])).size).toBe(200);
    expect(typicalBook(200, 'BENCH')).toEqual(book);
    expect(typicalBook(200, 'BENCH', 2).payloads).not.toContainEqual(book.payloads[0]);
  });

  it('names no documents, which would be jobs of their own', () => {
    expect(book.payloads.join('')).not.toMatch(/statement_path|document_path/);
  });
});
