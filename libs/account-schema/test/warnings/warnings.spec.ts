import type { FieldError } from '../../src/context';
import { RULES } from '../../src/rules/list';
import { validateAccount } from '../../src/validate';
import { findWarnings, MAX_WARNINGS } from '../../src/warnings/find-warnings';
import { WARNINGS } from '../../src/warnings/list';
import { payment } from '../rules/cases/parts';
import { applyEdits, type Edits } from '../rules/rule-case';
import { type Account, example, operatorContext } from '../rules/settings';
import { WARNING_CASES, type WarningCase } from './cases';

/** The warnings of an account, which must be valid: warnings are about what is allowed. */
function warningsOf(one: Pick<WarningCase, 'body' | 'profile'>, edits: Edits): FieldError[] {
  const context = operatorContext(one.profile);
  const result = validateAccount(applyEdits(one.body(), edits), context);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return findWarnings(result.value, context);
}

const pairsOf = (one: WarningCase, edits: Edits) =>
  warningsOf(one, edits).map(({ attr, code }) => `${attr} ${code}`);

describe('each warning', () => {
  const cases = WARNING_CASES.map((one) => [one.code, one.at, one] as const);

  it.each(cases)('%s is found at %s, in an account that is valid', (code, at, one) => {
    const expected = [`${at} ${code}`, ...(one.otherBreaches ?? [])];
    expect(pairsOf(one, one.breakingEdits).sort()).toEqual(expected.sort());
  });

  it.each(cases)('%s is not found in the closest plausible account (at %s)', (_code, _at, one) => {
    expect(pairsOf(one, one.holdingEdits)).toEqual([]);
  });

  it('has a sentence with the value and how to mend it, of limited length', () => {
    for (const one of WARNING_CASES)
      for (const { detail } of warningsOf(one, one.breakingEdits))
        expect(detail).toMatch(/^[A-Z][^\n]{10,180}\. If it is a mistake, [^\n]{10,110}\.$/);
  });

  it('has at least one case, unless the import looks for it among the stored accounts', () => {
    const shown = new Set(WARNING_CASES.map(({ code }) => code));
    const toShow = WARNINGS.filter(({ checkedBy }) => checkedBy === 'payload').map(({ code }) => code);
    expect(toShow.filter((code) => !shown.has(code))).toEqual([]);
  });
});

describe('the catalogue of warnings', () => {
  const codes = WARNINGS.map(({ code }) => code);

  it('has at least 25 warnings, each with a code that no rule and no other warning has', () => {
    expect(codes.length).toBeGreaterThanOrEqual(25);
    expect(new Set([...codes, ...RULES.map(({ code }) => code)]).size).toBe(codes.length + RULES.length);
  });

  it('explains each warning in one line', () => {
    for (const { code, reason } of WARNINGS) {
      expect(code).toMatch(/^[a-z0-9_]+$/);
      expect(reason).toMatch(/^[A-Z][^\n]{10,140}\.$/);
    }
  });
});

describe('an account', () => {
  it.each(['01-domestic-dual-fuel', '02-minimal', '03-business-two-addresses', '04-unknown-occupier'])(
    'has no warning as the example %s of the contract',
    (name) => {
      // The examples are of that year.
      const context = { ...operatorContext('core'), now: new Date('2024-09-15T12:00:00Z') };
      const result = validateAccount(example(name), context);
      expect(result.ok && findWarnings(result.value, context)).toEqual([]);
    },
  );

  it('has its warnings in the order of its payload, and a limited number of them', () => {
    const one = { body: () => example('01-domestic-dual-fuel'), profile: 'core' } as const;
    const edits = {
      next_bill_due_date: '2020-01-01',
      'customers.0.date_of_birth': '1861-04-09',
      date_of_sale: '2031-02-11',
    };
    expect(warningsOf(one, edits).map(({ attr }) => attr)).toEqual([
      'date_of_sale',
      'customers.0.date_of_birth',
      'next_bill_due_date',
    ]);
    const body = (): Account => ({
      import_supplier: 'LEGACY_A',
      external_account_number: 'A-1',
      current_statement_transactions: Array.from({ length: MAX_WARNINGS + 10 }, (_, i) =>
        payment(`C${i}`, '2024-06-02', { amount: '12345.00' }),
      ),
    });
    const many = { body, profile: 'core' } as const;
    expect(warningsOf(many, {})).toHaveLength(MAX_WARNINGS);
  });
});
