import { core } from '../test/context';
import { Account } from './contract/account';
import type { SchemaContext } from './context';
import { validateObject } from './validate';

const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };

function pairs(fields: object, changes: Partial<SchemaContext> = {}): string[] {
  const result = validateObject(Account, { ...identity, ...fields }, { ...core, ...changes });
  return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
}

function nested(levels: number): unknown {
  return JSON.parse('[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2));
}

/** The processor time of the fastest of several runs in milliseconds, which other processes influence least. */
function cost(work: () => void): number {
  let best = Infinity;
  for (let i = 0; i < 7; i += 1) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

describe('hostile input', () => {
  it('gets one error for 20,000 levels of nesting at any place', () => {
    expect(pairs({ undocumented: nested(20_000) })).toEqual([
      `undocumented${'.0.a'.repeat(15)}.0 max_nesting`,
    ]);
    expect(pairs({ metadata: [{ key: 'k', value: nested(20_000) }] })).toEqual([
      expect.stringMatching(/^metadata\.0\.value\.[0a.]+ max_nesting$/),
    ]);
    expect(pairs({ customers: nested(20_000) })).toEqual([`customers.0${'.a.0'.repeat(15)} max_nesting`]);
    expect(pairs({ billing_name: nested(20_000) })).toEqual(['billing_name invalid']);
  });

  it('gets one error for a list that is too long, without its members being read', () => {
    const many = Array.from({ length: 100_000 }, () => ({ landline: 'x' }));
    expect(pairs({ customers: many })).toEqual(['customers max_length']);
    expect(pairs({ undocumented: many })).toEqual(['undocumented max_length']);
    expect(pairs({ metadata: [{ key: 'k', value: many }] })).toEqual(['metadata.0.value max_length']);
  });

  it('gets no more errors than the limit, and their number', () => {
    const customers = Array.from({ length: 10_000 }, () => ({ landline: 'x', mobile: 'y' }));
    const found = pairs({ customers });
    expect(found).toHaveLength(1_000);
    expect(found.at(-1)).toBe('non_field_errors too_many_errors');
    expect(validateObject(Account, { ...identity, customers }, core)).toMatchObject({ errorCount: 20_000 });
  });

  it('gets a bounded list of ignored fields with shortened names', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field${i}`, i]));
    const result = validateObject(Account, { ...identity, ...fields, ['n'.repeat(1_000_000)]: 1 }, core);
    expect(result.ok).toBe(true);
    expect(result.ignoredFields).toHaveLength(1_001);
    expect(result.ignoredFields.at(-1)).toBe('...');
    const long = validateObject(Account, { ...identity, ['n'.repeat(1_000_000)]: 1 }, core);
    expect(long.ignoredFields[0]).toHaveLength(100);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'cannot use %s as anything but an undocumented field',
    (key) => {
      const input: unknown = JSON.parse(
        `{"import_supplier":"L","external_account_number":"1","${key}":{"polluted":true},"customers":[{"${key}":{"polluted":true}}]}`,
      );
      const result = validateObject(Account, input, core);
      expect(result).toEqual({
        ok: true,
        value: { import_supplier: 'L', external_account_number: '1', customers: [{}] },
        ignoredFields: [key, `customers.0.${key}`],
      });
      expect('polluted' in {}).toBe(false);
      expect('polluted' in Object(result.ok && result.value)).toBe(false);
    },
  );

  it.each([
    ['NUL', 'a\0b'],
    ['a high surrogate', 'a\ud800'],
    ['a low surrogate', '\udc00b'],
  ])('text with %s is rejected in fields, free JSON, undocumented fields and keys', (_, text) => {
    expect(pairs({ billing_name: text })).toEqual(['billing_name invalid']);
    expect(pairs({ account_type: text })).toEqual(['account_type invalid']);
    expect(pairs({ last_billed_to_date: text })).toEqual(['last_billed_to_date invalid']);
    expect(pairs({ metadata: [{ key: 'k', value: { deep: [text] } }] })).toEqual([
      'metadata.0.value.deep.0 invalid',
    ]);
    expect(pairs({ undocumented: [{ deep: text }] })).toEqual(['undocumented.0.deep invalid']);
    expect(pairs({ [`key${text}`]: 1 })).toEqual([expect.stringMatching(/^key.+ invalid$/)]);
    expect(pairs({ customers: [{ [text]: 1 }] })).toEqual([
      expect.stringMatching(/^customers\.0\..+ invalid$/),
    ]);
  });

  it('is quoted with at most 40 characters', () => {
    const values: unknown[] = [
      'x'.repeat(1_000),
      '😀'.repeat(1_000),
      1e300,
      { a: 'x'.repeat(100) },
      ['x'.repeat(100)],
    ];
    const fields = [
      'billing_email',
      'billing_postcode',
      'last_billed_to_date',
      'transfer_balance',
      'account_type',
    ];
    for (const value of values) {
      for (const name of [...fields, 'customers', 'unknown_occupier', 'billing_address']) {
        const result = validateObject(Account, { ...identity, [name]: value }, core);
        for (const { detail } of result.ok ? [] : result.errors)
          expect(detail).not.toMatch(/x{41}|(?:😀){21}/u);
      }
    }
  });

  describe('takes linear time', () => {
    /** Inputs of a given size, each for a check that could take more than linear time. */
    const attacks: Record<string, (size: number) => object> = {
      'long text': (size) => ({ billing_name: 'x'.repeat(size) }),
      'long blank text': (size) => ({ billing_name: `${' '.repeat(size)}x` }),
      'long e-mail address': (size) => ({
        billing_email: `${'a.'.repeat(size / 2)}@${'b.'.repeat(size / 2)}`,
      }),
      'e-mail address of quotes': (size) => ({ billing_email: `"${'\\"'.repeat(size / 2)}@x.org` }),
      'long phone number': (size) => ({ customers: [{ landline: `+${'4 '.repeat(size / 2)}` }] }),
      'phone numbers of brackets': (size) => ({
        customers: Array.from({ length: size / 100 }, () => ({ landline: '('.repeat(32) })),
      }),
      'long postcode': (size) => ({ billing_postcode: 'N '.repeat(size / 2) }),
      'long decimal': (size) => ({ transfer_balance: '0'.repeat(size) }),
      'long date': (size) => ({ last_billed_to_date: '2'.repeat(size) }),
      'surrogate pairs': (size) => ({ billing_name: '😀'.repeat(size / 2) }),
      'many fields': (size) => Object.fromEntries(Array.from({ length: size / 10 }, (_, i) => [`f${i}`, i])),
      'many errors': (size) => ({
        customers: Array.from({ length: size / 100 }, () => ({ title: 1.5, email: 7 })),
      }),
      'many objects': (size) => ({
        notes: Array.from({ length: size / 100 }, () => ({ body: 'x', is_pinned: true })),
      }),
    };

    it.each(Object.entries(attacks))('%s', (_, attack) => {
      const validate = (size: number) => {
        const input = { ...identity, ...attack(size) };
        return cost(() => validateObject(Account, input, core));
      };
      validate(160_000);
      const small = validate(160_000);
      const large = validate(1_280_000);
      // The size grows by 8: the time grows by 8 if linear, by 64 if quadratic. Neither input fits into the cache of the
      // processor, which would make the small one too fast. A minimum excludes timer noise.
      expect(large).toBeLessThan(24 * Math.max(small, 0.1));
    });

    it('a text of 10 MB in seconds at most', () => {
      expect(
        cost(() => validateObject(Account, { ...identity, billing_name: 'x'.repeat(10_000_000) }, core)),
      ).toBeLessThan(3_000);
    });
  });
});
