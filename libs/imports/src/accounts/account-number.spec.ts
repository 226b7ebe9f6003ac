import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { accountNumberOf, MAX_ACCOUNT_SEQUENCE } from './account-number';

const BYTES = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
const KEY = createSecretKey(BYTES);
const anyKey = fc.uint8Array({ minLength: 16, maxLength: 32 }).map((bytes) => createSecretKey(bytes));
const anySequence = fc.integer({ min: 0, max: MAX_ACCOUNT_SEQUENCE });

describe('account numbers', () => {
  it('have the form A- and eight lower-case hex digits', () => {
    fc.assert(
      fc.property(anySequence, anyKey, (sequence, key) => {
        expect(accountNumberOf(sequence, key)).toMatch(/^A-[0-9a-f]{8}$/);
      }),
    );
  });

  it('are unique among consecutive sequence values', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_ACCOUNT_SEQUENCE - 5_000 }), anyKey, (first, key) => {
        const numbers = new Set(
          Array.from({ length: 5_000 }, (_, step) => accountNumberOf(first + step, key)),
        );
        expect(numbers.size).toBe(5_000);
      }),
      { numRuns: 3 },
    );
  });

  it('differ for any two sequence values', () => {
    fc.assert(
      fc.property(anySequence, anySequence, (one, other) => {
        fc.pre(one !== other);
        expect(accountNumberOf(one, KEY)).not.toBe(accountNumberOf(other, KEY));
      }),
    );
  });

  it('depend on the key of the installation', () => {
    expect(accountNumberOf(1, KEY)).toBe(accountNumberOf(1, createSecretKey(BYTES)));
    const changed = Buffer.from(BYTES);
    changed.writeUInt8(changed.readUInt8(0) ^ 1, 0);
    const other = createSecretKey(changed);
    const run = Array.from({ length: 100 }, (_, sequence) => sequence);
    const alike = run.filter(
      (sequence) => accountNumberOf(sequence, KEY) === accountNumberOf(sequence, other),
    );
    expect(alike).toEqual([]);
  });

  it('do not follow the order of creation', () => {
    const numbers = Array.from({ length: 400 }, (_, sequence) =>
      Number.parseInt(accountNumberOf(sequence, KEY).slice(2), 16),
    );
    const ascents = numbers.slice(1).filter((number, place) => number > (numbers[place] as number)).length;
    expect(ascents).toBeGreaterThan(150);
    expect(ascents).toBeLessThan(250);
    const steps = new Set(numbers.slice(1).map((number, place) => number - (numbers[place] as number)));
    expect(steps.size).toBe(399);
  });

  it('exist for the first and the last sequence value', () => {
    expect(accountNumberOf(0, KEY)).not.toBe(accountNumberOf(MAX_ACCOUNT_SEQUENCE, KEY));
  });

  it.each([-1, MAX_ACCOUNT_SEQUENCE + 1, 0.5, Number.NaN])('do not exist for %s', (sequence) => {
    expect(() => accountNumberOf(sequence, KEY)).toThrow(RangeError);
  });
});
