import {
  type AccountLookups,
  checkDatabaseRules,
  type FieldError,
  NotesRequest,
  PaymentInstructionRequest,
  type SchemaContext,
  TaskParams,
  TransactionsRequest,
  validateAccount,
  validateBody,
} from '../../src/index';
import { RULES } from '../../src/rules/list';
import { ACCOUNT_CASES } from './cases/account';
import { LEDGER_CASES } from './cases/ledgers';
import { METER_CASES } from './cases/meters';
import { PAYMENT_CASES } from './cases/payments';
import { PEOPLE_CASES } from './cases/people';
import { STORED_CASES } from './cases/stored';
import { SUPPLY_CASES } from './cases/supply';
import { edited, type Edits, type RuleCase } from './rule-case';
import { operatorContext } from './settings';

const CASES = [
  ...ACCOUNT_CASES,
  ...PEOPLE_CASES,
  ...SUPPLY_CASES,
  ...METER_CASES,
  ...LEDGER_CASES,
  ...PAYMENT_CASES,
  ...STORED_CASES,
];

const BODIES = { NotesRequest, PaymentInstructionRequest, TaskParams, TransactionsRequest };

/** Nothing is stored. */
const NOTHING: AccountLookups = {
  accountReferencesInUse: () => Promise.resolve(new Set()),
  caisReferencesInUse: () => Promise.resolve(new Set()),
  chargedPeriods: () => Promise.resolve(new Map()),
  missingFiles: () => Promise.resolve(new Set()),
  rolesHeldBy: () => Promise.resolve(new Map()),
};

function contextOf(one: RuleCase): SchemaContext {
  const { supplier = {}, supplierName: name = 'LEGACY_A', instance = {}, references = {} } = one;
  return operatorContext(one.profile, { name, supplier, instance, references });
}

async function errorsOf(one: RuleCase, edits: Edits): Promise<FieldError[]> {
  const context = contextOf(one);
  const body = edited(one.body(), edits);
  if (one.bodyName) {
    const result = validateBody<object>(BODIES[one.bodyName], body, context);
    return result.ok ? [] : result.errors;
  }
  const result = validateAccount(body, context);
  if (!result.ok) return result.errors;
  return checkDatabaseRules(result.value, context, { ...NOTHING, ...one.lookups });
}

async function pairsOf(one: RuleCase, edits: Edits): Promise<string[]> {
  return (await errorsOf(one, edits)).map(({ attr, code }) => `${attr} ${code}`).sort();
}

/** The code that is answered: some rules are overtaken by a field's own check. */
function answeredCode(code: string): string {
  const rule = RULES.find((one) => one.code === code);
  return (rule?.by === 'field' && rule.answeredAs) || code;
}

describe('each rule', () => {
  it.each(CASES.map((one) => [one.code, one.at, one] as const))(
    '%s is broken at %s, alone',
    async (code, at, one) => {
      const expected = [`${at} ${answeredCode(code)}`, ...(one.also ?? [])];
      expect(await pairsOf(one, one.breaks)).toEqual(expected.sort());
    },
  );

  it.each(CASES.map((one) => [one.code, one.at, one] as const))(
    '%s just holds (at %s)',
    async (_code, _at, one) => {
      expect(await pairsOf(one, one.holds)).toEqual([...(one.whereas ?? [])].sort());
    },
  );

  it('says in a sentence what is wrong, and repeats no more than 40 characters', async () => {
    const details = (await Promise.all(CASES.map((one) => errorsOf(one, one.breaks)))).flat();
    for (const { detail } of details) expect(detail).toMatch(/^[A-Z0-9"“][^\n]{8,170}\.$/);
  });

  it('has at least one payload that breaks it and one that does not', () => {
    const shown = new Set(CASES.map(({ code }) => code));
    const toShow = RULES.filter(({ by }) => by !== 'use case').map(({ code }) => code);
    expect(toShow.filter((code) => !shown.has(code))).toEqual([]);
  });
});
