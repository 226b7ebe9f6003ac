import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS, parseRequestLine } from '../after-import/request-line';
import { SampleAfterImport, type SampleAfterImportOptions } from './sample-after-import';

const examples = join(__dirname, '..', '..', '..', '..', 'examples');
const sample = new SampleAfterImport(examples);
const committed: SampleAfterImportOptions = { accounts: 200, seed: 1, supplier: 'DEMO' };

interface Line {
  endpoint: string;
  query?: Record<string, boolean>;
  body: Record<string, unknown> & { external_account_number: string };
}
const linesOf = (options: SampleAfterImportOptions): Line[] =>
  [...sample.lines(options)].map((line) => JSON.parse(line) as Line);

type Item = Record<string, unknown>;
const listed = (lines: Line[], list: string): Item[] =>
  lines.flatMap(({ body }) => (body[list] ?? []) as Item[]);

describe('the committed file', () => {
  it('equals the lines for a book with its seed and supplier', () => {
    const file = readFileSync(join(examples, 'after-import.ndjson'), 'utf8');
    expect([...sample.lines(committed)].join('') === file).toBe(true);
  });

  it('has a file with the expected result', () => {
    const expected: unknown = JSON.parse(readFileSync(join(examples, 'after-import.expected.json'), 'utf8'));
    expect(expected).toEqual(sample.expected(committed));
  });

  it('refers to accounts of the committed book', () => {
    const book = readFileSync(join(examples, 'book.ndjson'), 'utf8');
    const numbers = new Set(linesOf(committed).map(({ body }) => body.external_account_number));
    expect(numbers.size).toBe(50);
    for (const number of numbers) expect(book).toContain(`"external_account_number":"${number}"`);
  });
});

it('begins with the same lines for any number of accounts', () => {
  const [short, long] = [{ ...committed, accounts: 40 }, committed].map(linesOf);
  expect(long!.slice(0, short!.length)).toEqual(short);
});

it.each([0, 1, 4, 5, 41, 450])('has valid and unique lines for %i accounts', (accounts) => {
  const lines = [...sample.lines({ ...committed, accounts })];
  const keys = lines.map((text, nth) => {
    const parsed = parseRequestLine({ number: nth + 1, text: text.trimEnd() }, 1_000_000);
    return parsed?.kind === 'request' ? parsed.idempotencyKey : parsed;
  });
  expect(new Set(keys).size).toBe(lines.length);
  const expected = Object.values(sample.expected({ ...committed, accounts }));
  expect(expected.reduce((sum, { requests }) => sum + requests, 0)).toBe(lines.length);
});

describe('the requests after a sample book', () => {
  const lines = linesOf(committed);

  it('have requests to every endpoint, with refused or repeated ones at each', () => {
    expect(new Set(lines.map(({ endpoint }) => endpoint))).toEqual(new Set(ENDPOINTS));
    const expected = sample.expected(committed);
    expect(expected.notes?.already_there).toBeGreaterThan(0);
    expect(expected.transactions?.already_there).toBeGreaterThan(0);
    expect(expected.transactions?.refused).toEqual({
      transaction_outside_open_statement_period: expect.any(Number),
    });
    expect(Object.keys(expected['payment-instruction']?.refused ?? {})).toHaveLength(3);
  });

  it('have pinned notes and notes with documents', () => {
    const notes = listed(lines, 'notes');
    expect(notes.some((note) => note['is_pinned'] === true && note['unpin_at'] !== undefined)).toBe(true);
    expect(notes.some((note) => note['document_paths'] !== undefined)).toBe(true);
  });

  it('have transactions of every type, and supply charges that sum up', () => {
    const transactions = listed(lines, 'transactions');
    expect(new Set(transactions.map(({ type }) => type))).toEqual(
      new Set(['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE']),
    );
    const pence = (amount: unknown): number => Math.round(Number(amount) * 100);
    for (const charge of transactions.filter(({ type }) => type === 'SUPPLY_CHARGE')) {
      const parts = [...(charge['line_items'] as Item[]), ...(charge['tax_items'] as Item[])];
      const sum = parts.reduce((all, part) => all + pence(part['net_amount'] ?? part['amount']), 0);
      expect(pence(charge['amount'])).toBe(sum);
    }
  });

  it('have unique mandate references, one of which is only found after retries', () => {
    const references = lines.flatMap(({ body }) => (body['reference'] ?? []) as string[]);
    expect(new Set(references).size).toBe(references.length);
    expect(references.filter((reference) => reference.includes('Flaky'))).toHaveLength(1);
  });
});
