import type { RuleCase } from '../rule-case';
import { ACCOUNT_CASES } from './account';
import { CONDITION_CASES } from './conditions';
import { LEDGER_CASES } from './ledgers';
import { METER_CASES } from './meters';
import { PAYMENT_CASES } from './payments';
import { PEOPLE_CASES } from './people';
import { STORED_CASES } from './stored';
import { SUPPLY_CASES } from './supply';

/** The cases of all rules. */
export const RULE_CASES: readonly RuleCase[] = [
  ...ACCOUNT_CASES,
  ...PEOPLE_CASES,
  ...SUPPLY_CASES,
  ...METER_CASES,
  ...LEDGER_CASES,
  ...PAYMENT_CASES,
  ...STORED_CASES,
  ...CONDITION_CASES,
];
