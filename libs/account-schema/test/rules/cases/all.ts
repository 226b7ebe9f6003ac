import type { RuleCase } from '../rule-case';
import { ACCOUNT_CASES } from './account';
import { DEBT_CASES } from './debts-and-complaints';
import { LEDGER_CASES } from './ledgers';
import { METER_CASES } from './meters';
import { PAYMENT_SCHEDULE_CASES } from './payment-schedules';
import { PAYMENT_CASES } from './payments';
import { PEOPLE_CASES } from './people';
import { SETTLEMENT_CASES } from './settlement';
import { STORED_CASES } from './stored';
import { SUPPLY_CASES } from './supply';

/** The cases of all rules. */
export const RULE_CASES: readonly RuleCase[] = [
  ...ACCOUNT_CASES,
  ...PEOPLE_CASES,
  ...SUPPLY_CASES,
  ...METER_CASES,
  ...SETTLEMENT_CASES,
  ...LEDGER_CASES,
  ...PAYMENT_CASES,
  ...PAYMENT_SCHEDULE_CASES,
  ...DEBT_CASES,
  ...STORED_CASES,
];
