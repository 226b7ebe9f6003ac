import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS, validateAccount } from '@portage/account-schema';
import { mpan, mprn } from './check-digits';
import { MAX_SEED, MAX_VALID } from './renumber';
import { expectedResult, SampleBook, type SampleBookOptions } from './sample-book';

const examples = join(__dirname, '..', '..', '..', '..', 'examples');
const committed: SampleBookOptions = { accounts: 200, faulty: 12, seed: 1, supplier: 'DEMO' };

const sample = new SampleBook(examples);

type Account = Record<string, unknown>;

const context = {
  profile: 'core',
  region: 'GB',
  rejectUndocumentedFields: true,
  now: new Date('2026-07-01T12:00:00Z'),
  timeZone: 'Europe/London',
  limits: DEFAULT_LIMITS,
} as const;

const isValid = (point: string) =>
  point === mpan(point.slice(0, 12)) || (point.length === 10 && point === mprn(point.slice(0, 8)));

/** The valid accounts of a book, unwrapped. */
function accountsOf(options: SampleBookOptions): Account[] {
  return [...sample.lines({ ...options, faulty: 0 })].map((line) => {
    const value = JSON.parse(line) as Account;
    return (value['payload'] as Account | undefined) ?? value;
  });
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

describe('books of all seeds', () => {
  const SEEDS = Array.from({ length: MAX_SEED }, (_, nth) => nth + 1);
  const lastAccount = (seed: number) =>
    JSON.stringify(sample.account({ seed, supplier: 'DEMO' }, MAX_VALID - 1));

  it('have no supply point, account, address or reference in common, and each supply point is valid', () => {
    const seen = new Map<string, string>();
    const repeated: string[] = [];
    const invalid: string[] = [];
    for (const seed of SEEDS) {
      const lines = [...sample.lines({ ...committed, seed }), lastAccount(seed)];
      for (const [nth, line] of lines.entries()) {
        const account = `account ${nth} of seed ${seed}`;
        const points = [...line.matchAll(/"identifier":"(\d{9,})"/g)].map(([, point]) => point!);
        const others = line.match(/"(DEMO-\d+-\d{7}|PROP-\d+)|(account|bills)\.\d+b?@/g) ?? [];
        for (const value of new Set([...points, ...others])) {
          if (seen.has(value)) repeated.push(`${value} of ${account} and ${seen.get(value)}`);
          seen.set(value, account);
        }
        invalid.push(...points.filter((point) => !isValid(point)));
      }
    }
    expect(repeated).toEqual([]);
    expect(invalid).toEqual([]);
    expect(seen.size).toBeGreaterThan(SEEDS.length * 500);
  });

  it('are valid without faulty accounts', () => {
    for (const seed of [2, 11, MAX_SEED]) {
      const errors = accountsOf({ ...committed, seed }).map((account) => validateAccount(account, context));
      expect([seed, errors.filter(({ ok }) => !ok)]).toEqual([seed, []]);
    }
  });
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
