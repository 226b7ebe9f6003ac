import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedResult, SampleBook, type SampleBookOptions } from './sample-book';

const examples = join(__dirname, '..', '..', '..', '..', 'examples');
const committed: SampleBookOptions = { accounts: 200, faulty: 12, seed: 1, supplier: 'DEMO' };

const sample = new SampleBook(examples);

type Account = Record<string, unknown>;

/** The valid accounts of a book, unwrapped. */
function accountsOf(options: SampleBookOptions): Account[] {
  return [...sample.lines({ ...options, faulty: 0 })].map((line) => {
    const value = JSON.parse(line) as Account;
    return (value['payload'] as Account | undefined) ?? value;
  });
}

/** All values of the key, at any depth. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Account).flatMap(([name, inner]) => [
    ...(name === key && inner !== null ? [inner] : []),
    ...valuesOf(inner, key),
  ]);
}

describe('the committed book', () => {
  it('has the lines of a book with its seed and supplier', () => {
    const book = readFileSync(join(examples, 'book.ndjson'), 'utf8').trimEnd().split('\n');
    const lines = [...sample.lines(committed)].map((line) => line.trimEnd());
    expect(lines.sort()).toEqual(book.sort());
  });

  it('has a file with the expected result', () => {
    const expected: unknown = JSON.parse(readFileSync(join(examples, 'book.expected.json'), 'utf8'));
    const totals = expect.objectContaining({ accounts: 200, opening_balance: '-2681.05' }) as unknown;
    expect(expected).toEqual({ ...expectedResult(committed), totals });
    expect(expected).toMatchObject({ accounts: 212, processed: 200 });
  });
});

it('has no number in common with a book of another seed and supplier', () => {
  const numbersOf = (options: SampleBookOptions) =>
    [...sample.lines(options)].join('').match(/(DEMO|OTHER)-\d+-\d{7}|"identifier":"\d+"/g) ?? [];
  const numbers = new Set(numbersOf(committed));
  const others = numbersOf({ ...committed, seed: 2, supplier: 'OTHER' });
  expect(others.length).toBe(numbersOf(committed).length);
  expect(others.filter((number) => numbers.has(number))).toEqual([]);
});

it('has the same accounts for any length', () => {
  const [short, long] = [accountsOf({ ...committed, accounts: 10 }), accountsOf(committed)];
  expect(long.slice(0, 10)).toEqual(short);
});

it.each([
  [0, 0],
  [1, 0],
  [0, 30],
  [50, 50],
])('has exactly %i valid accounts and %i faulty ones', (accounts, faulty) => {
  const lines = [...sample.lines({ ...committed, accounts, faulty })];
  expect(lines).toHaveLength(accounts + faulty);
  expect(
    Object.values(expectedResult({ ...committed, accounts, faulty }).refused).reduce((a, b) => a + b, 0),
  ).toBe(faulty);
});

describe('the accounts of a sample book', () => {
  const accounts = accountsOf({ ...committed, accounts: 300 });

  it.each(['external_account_number', 'external_identifier', 'property_external_identifier'])(
    'have unique values of %s',
    (key) => {
      const values = accounts.flatMap((account) => valuesOf(account, key));
      expect(new Set(values).size).toBe(values.length);
    },
  );

  it('have unique supply points', () => {
    const points = accounts.flatMap((account) => valuesOf(account['supply_addresses'], 'identifier'));
    expect(new Set(points).size).toBe(points.length);
  });

  it('include every kind', () => {
    const types = new Set(accounts.map((account) => account['account_type']));
    expect(types).toEqual(new Set(['DOMESTIC', 'BUSINESS', 'DOMESTIC_OCCUPIER', undefined]));
    const customers = accounts.flatMap((account) => (account['customers'] ?? []) as Account[]);
    expect(
      customers.some((customer) => customer['landline'] !== undefined && customer['email'] === undefined),
    ).toBe(true);
    const fuels = accounts.map((account) => valuesOf(account, 'supply_type').join('+'));
    expect(new Set(fuels)).toEqual(
      new Set(['ELECTRICITY+GAS', 'ELECTRICITY', 'GAS', 'ELECTRICITY+ELECTRICITY', '']),
    );
  });

  it('have only dates in the past', () => {
    const days = JSON.stringify(accounts).match(/20\d\d-\d\d-\d\d/g) ?? [];
    expect(days.sort().at(-1)! < '2026-07-01').toBe(true);
  });
});
