import { core } from '../test/context';
import { Account } from './contract/account';
import { validateObject, validateObjectInSteps } from './validate';

const identity = { import_supplier: 'LEGACY_A', external_account_number: 'A-1' };
const CUSTOMERS = 150;

const list = <Item>(count: number, itemAt: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => itemAt(index));

/** More members than one step reads, with undocumented fields before and behind lists. */
const accountWith = (landline: string) => ({
  colour: 1,
  ...identity,
  customers: list(CUSTOMERS, () => ({
    colour: 1,
    landline,
    alternative_phone_numbers: list(3, () => ({ phone_number: landline })),
    size: 1,
  })),
  size: 1,
  metadata: list(CUSTOMERS, () => ({ key: 'k' })),
  billing_email: 'nobody',
});

/** The paths of the errors in {@link accountWith}, in their order. */
const ERRORS = [
  ...list(CUSTOMERS, (i) => [
    `customers.${i}.landline`,
    ...list(3, (k) => `customers.${i}.alternative_phone_numbers.${k}.phone_number`),
  ]).flat(),
  ...list(CUSTOMERS, (i) => `metadata.${i}.value`),
  'billing_email',
];
const IGNORED = [
  'colour',
  ...list(CUSTOMERS, (i) => [`customers.${i}.colour`, `customers.${i}.size`]).flat(),
  'size',
];

describe('an account that takes many steps', () => {
  it('has its errors and undocumented fields in the order of the payload', () => {
    const result = validateObject(Account, accountWith('abcde'), core);
    if (result.ok) throw new Error('It is valid.');
    expect(result.errors.map(({ attr }) => attr)).toEqual(ERRORS);
    expect(result.errorCount).toBe(ERRORS.length);
    expect(result.ignoredFields).toEqual(IGNORED);
  });

  it('lists the first errors and undocumented fields up to the limit', () => {
    for (const limit of [1, 70, 300, 600]) {
      const context = { ...core, limits: { ...core.limits, errors: limit } };
      const result = validateObject(Account, accountWith('abcde'), context);
      if (result.ok) throw new Error('It is valid.');
      expect(result.errors.map(({ attr }) => attr)).toEqual([
        ...ERRORS.slice(0, limit - 1),
        'non_field_errors',
      ]);
      expect(result.errorCount).toBe(ERRORS.length);
      expect(result.ignoredFields).toEqual(
        limit < IGNORED.length ? [...IGNORED.slice(0, limit), '...'] : IGNORED,
      );
    }
  });

  it('is converted as a whole', () => {
    const { customers } = accountWith('0121 234 5678');
    const result = validateObject(Account, { ...identity, customers }, core);
    const converted = { phone_number: '+441212345678' };
    expect(result).toMatchObject({
      ok: true,
      value: {
        ...identity,
        customers: list(CUSTOMERS, () => ({
          landline: '+441212345678',
          alternative_phone_numbers: [converted, converted, converted],
        })),
      },
    });
  });

  it('reads at most 64 members of lists in a step', () => {
    const steps = validateObjectInSteps(Account, accountWith('abcde'), core);
    let count = 1;
    while (!steps.next().done) count += 1;
    expect(count).toBeGreaterThanOrEqual((5 * CUSTOMERS) / 64);
  });
});
