import { RULES } from '../../src/rules/list';
import { validateAccount } from '../../src/validate';
import { contextOf, errorsOf } from './answers-of';
import { RULE_CASES } from './cases/all';
import { E, G } from './cases/parts';
import { applyEdits, type Edits, type RuleCase } from './rule-case';

/** Notes that take more members than one step reads, so that the lists behind them are put off. */
const MANY_NOTES = Array.from({ length: 100 }, (_, index) => ({ body: `Note ${index}` }));

/** The paths and codes of the errors of an account, with other notes before its own. */
function pairsBehindNotes(one: RuleCase, edits: Edits, notes: readonly object[]): string[] {
  const { notes: own, ...fields } = applyEdits(one.body(), edits);
  const body = { notes: [...notes, ...(Array.isArray(own) ? (own as object[]) : [])], ...fields };
  const result = validateAccount(body, contextOf(one));
  const pairs = result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
  return pairs.map((pair) =>
    pair.replace(/^notes\.(\d+)/, (_, index) => `notes.${Number(index) - notes.length}`),
  );
}

async function pairsOf(one: RuleCase, edits: Edits): Promise<string[]> {
  return (await errorsOf(one, edits)).map(({ attr, code }) => `${attr} ${code}`).sort();
}

/** The code that is reported: for some rules a field check with another code comes first. */
function reportedCode(code: string): string {
  const rule = RULES.find((one) => one.code === code);
  return (rule?.checkedBy === 'field' && rule.reportedAs) || code;
}

describe('each rule', () => {
  it.each(RULE_CASES.map((one) => [one.code, one.at, one] as const))(
    '%s is reported at %s, without other errors',
    async (code, at, one) => {
      const expected = [`${at} ${reportedCode(code)}`, ...(one.otherBreaches ?? [])];
      expect(await pairsOf(one, one.breakingEdits)).toEqual(expected.sort());
    },
  );

  it.each(RULE_CASES.map((one) => [one.code, one.at, one] as const))(
    '%s accepts the closest valid payload (at %s)',
    async (_code, _at, one) => {
      expect(await pairsOf(one, one.holdingEdits)).toEqual([...(one.otherBreachesWhenHolding ?? [])].sort());
    },
  );

  it('is reported in an account that takes many steps too', () => {
    for (const one of RULE_CASES.filter(({ bodyName }) => bodyName === undefined))
      expect(pairsBehindNotes(one, one.breakingEdits, MANY_NOTES)).toEqual(
        pairsBehindNotes(one, one.breakingEdits, MANY_NOTES.slice(0, 1)),
      );
  });

  it('has a sentence as its detail, of limited length', async () => {
    const details = (await Promise.all(RULE_CASES.map((one) => errorsOf(one, one.breakingEdits)))).flat();
    for (const { detail } of details) expect(detail).toMatch(/^[A-Z0-9"“][^\n]{8,170}\.$/);
  });

  it.each([
    [
      'balance_mismatch_on_transfer_balance',
      'transfer_balance',
      'Expected 10.10: last_statement_balance (0.10) plus the transactions (10.00). Found 10.11. With these transactions, last_statement_balance is 0.11.',
    ],
    [
      'balance_mismatch_on_ledger_balance',
      'ledgers.0.ledger_balance',
      'Expected 10.00: last_statement_balance (not sent) plus the transactions (10.00). Found 10.01. With these transactions, last_statement_balance is 0.01.',
    ],
    [
      'historical_statement_transactions_balance_mismatch',
      'last_statement_balance',
      'Expected 10.00 from historical_statement_transactions. Found 9.99. Send what they lack (-0.01) as a transaction before them, or correct the balance.',
    ],
    [
      'invalid_supply_point_identifier',
      `${E}.identifier`,
      'Enter an MPAN core: 13 digits, the last of which is the sum of the others times 3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43, mod 11, mod 10. Found "1000000000111".',
    ],
    [
      'invalid_supply_point_identifier',
      `${G}.identifier`,
      'Enter an MPRN: 6 to 10 digits, the last two of which are the sum of the others, times n down to 1 for n of them, mod 11. Found "9900010108".',
    ],
    [
      'transfer_reading_dates_must_match_last_billed_to_date',
      `${E}.meters.0.transfer_readings.0.reading_date`,
      'Send the reading of 2024-06-01 (last_billed_to_date of the account), not of 2024-06-02, or override the day with last_billed_to_date of the register.',
    ],
    [
      'transfer_reading_dates_must_match_last_billed_to_date',
      `${G}.meters.0.transfer_readings.0.reading_date`,
      'Send the reading of 2024-06-01 (last_billed_to_date of the meter), not of 2024-06-02, or correct that day.',
    ],
  ])('says how to mend what it refuses: %s at %s', async (code, at, expected) => {
    const one = RULE_CASES.find((found) => found.code === code && found.at === at) as RuleCase;
    expect((await errorsOf(one, one.breakingEdits)).map(({ detail }) => detail)).toEqual([expected]);
  });

  it('has at least one case', () => {
    const shown = new Set(RULE_CASES.map(({ code }) => code));
    const toShow = RULES.filter(({ checkedBy: by }) => by !== 'use case').map(({ code }) => code);
    expect(toShow.filter((code) => !shown.has(code))).toEqual([]);
  });
});
