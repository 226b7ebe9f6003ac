import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SampleAdditions, type SampleAdditionsOptions } from './sample-additions';

const examples = join(__dirname, '..', '..', '..', '..', 'examples');
const sample = new SampleAdditions(examples);
const committed: SampleAdditionsOptions = { accounts: 200, seed: 1, supplier: 'DEMO' };

const KINDS = ['notes', 'transactions', 'historical_statements', 'payment_instruction'];

interface Line {
  kind: string;
  body: Record<string, unknown> & { external_account_number: string };
}
const linesOf = (options: SampleAdditionsOptions): Line[] =>
  [...sample.lines(options)].map((line) => {
    const [[kind, body] = []] = Object.entries(JSON.parse(line) as Record<string, Line['body']>);
    return { kind, body } as Line;
  });

describe('the committed file', () => {
  it('equals the lines for a book with its seed and supplier', () => {
    const file = readFileSync(join(examples, 'additions.ndjson'), 'utf8');
    expect([...sample.lines(committed)].join('') === file).toBe(true);
  });

  it('has a file with the expected result', () => {
    const expected: unknown = JSON.parse(readFileSync(join(examples, 'additions.expected.json'), 'utf8'));
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
  for (const { kind } of linesOf({ ...committed, accounts })) expect(KINDS).toContain(kind);
  expect(new Set(lines).size).toBe(lines.length);
  const expected = Object.values(sample.expected({ ...committed, accounts }));
  expect(expected.reduce((sum, { lines: count }) => sum + count, 0)).toBe(lines.length);
});
