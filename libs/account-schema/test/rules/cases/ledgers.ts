import type { ReferenceData } from '../../../src/rules/operator/reference-data';
import {
  type Edits,
  onBody,
  onCompleteAccount,
  onDomesticAccount,
  onMinimalAccount,
  type RuleCase,
} from '../rule-case';
import { E, LINE, payment, supplied, supplyCharge } from './parts';

/** Turns off the rules about products, which other cases test. */
const ANY_PRODUCT = { references: { products: undefined } as Partial<ReferenceData> };
const CHARGE = 'ledgers.0.historical_statement_transactions.1';
const MAIN = { ledger_code: 'MAIN' };
const BILL = { billing_document_identifier: 'B-1' };

const transactions = onBody('TransactionsRequest', {
  import_supplier: 'LEGACY_A',
  external_account_number: 'A-1',
});

function history(date: string, fields: object = {}): Edits {
  return {
    historical_statement_transactions: [payment('H1', date, fields)],
    last_statement_balance: '10.00',
  };
}

function current(date: string, fields: object = {}): Edits {
  return { current_statement_transactions: [payment('C1', date, fields)] };
}

/** Edits for an account with one ledger that has these fields and this balance. */
function ledger(balance: string, fields: object): Record<string, unknown> {
  return { ledgers: [{ ...MAIN, ledger_balance: balance, ...fields }], transfer_balance: balance };
}

function charged(fields: object): Edits {
  return { current_statement_transactions: [supplyCharge(fields)] };
}

/** Cases of statements, balances, transactions and supply charges. */
export const LEDGER_CASES: readonly RuleCase[] = [
  onCompleteAccount(
    'cannot_determine_responsible_for_billing_from_date',
    'last_billed_to_date',
    { last_billed_to_date: undefined },
    { last_billed_to_date: undefined, last_statement_closing_date: '2024-05-31' },
  ),
  onCompleteAccount(
    'historical_statement_transactions_without_last_statement_closing_date_or_last_billed_to_date',
    'last_statement_closing_date',
    { ...history('2024-05-01'), transfer_balance: '10.00', last_billed_to_date: undefined },
    { ...history('2024-05-01'), transfer_balance: '10.00' },
    { otherBreaches: ['last_billed_to_date cannot_determine_responsible_for_billing_from_date'] },
  ),
  onMinimalAccount(
    'historical_statement_period_end_in_future',
    'last_statement_closing_date',
    { ...history('2026-01-10'), last_statement_closing_date: '2026-01-16' },
    { ...history('2026-01-10'), last_statement_closing_date: '2026-01-15' },
  ),
  onMinimalAccount(
    'historical_statement_transaction_after_current_statement_transaction',
    'historical_statement_transactions.0.transaction_date',
    { ...history('2024-06-02'), ...current('2024-06-02') },
    { ...history('2024-06-02'), ...current('2024-06-03') },
  ),
  onMinimalAccount(
    'historical_statement_transaction_after_last_statement_closing_date',
    'historical_statement_transactions.0.transaction_date',
    { ...history('2024-06-02'), last_statement_closing_date: '2024-06-01' },
    { ...history('2024-06-02'), last_statement_closing_date: '2024-06-02' },
  ),
  onMinimalAccount(
    'last_statement_issued_before_closing_date',
    'last_statement_issue_date',
    { last_statement_closing_date: '2024-06-02', last_statement_issue_date: '2024-06-01' },
    { last_statement_closing_date: '2024-06-02', last_statement_issue_date: '2024-06-02' },
  ),
  onMinimalAccount(
    'current_statement_transaction_before_current_statement_opening_date',
    'current_statement_transactions.0.transaction_date',
    { ...current('2024-06-01'), last_statement_closing_date: '2024-06-01' },
    { ...current('2024-06-02'), last_statement_closing_date: '2024-06-01' },
  ),
  onMinimalAccount(
    'current_statement_transaction_before_last_billed_to_date',
    'current_statement_transactions.0.transaction_date',
    {
      ...current('2024-05-31'),
      last_billed_to_date: '2024-06-01',
      last_statement_closing_date: '2024-05-30',
    },
    {
      ...current('2024-06-01'),
      last_billed_to_date: '2024-06-01',
      last_statement_closing_date: '2024-05-30',
    },
  ),
  onMinimalAccount(
    'current_statement_transaction_before_last_statement_closing_date',
    'ledgers.0.current_statement_transactions.0.transaction_date',
    ledger('10.00', { ...current('2024-06-01'), last_statement_closing_date: '2024-06-01' }),
    ledger('10.00', { ...current('2024-06-02'), last_statement_closing_date: '2024-06-01' }),
  ),
  onCompleteAccount(
    'historical_statement_without_last_statement_closing_date',
    'ledgers.0.last_statement_closing_date',
    ledger('15.00', { ...current('2024-06-02'), last_statement_balance: '5.00' }),
    ledger('10.00', { ...current('2024-06-02'), last_statement_balance: '0.00' }),
  ),
  onCompleteAccount(
    'historical_statement_transactions_require_last_statement_closing_date',
    'ledgers.0.last_statement_closing_date',
    ledger('10.00', history('2024-05-01')),
    ledger('10.00', { ...history('2024-05-01'), last_statement_closing_date: '2024-05-01' }),
  ),
  onMinimalAccount(
    'ledger_balances_not_equal_to_transfer_balance',
    'transfer_balance',
    { ...ledger('0.30', { last_statement_balance: '0.30' }), transfer_balance: '0.29' },
    { ...ledger('0.30', { last_statement_balance: '0.30' }), transfer_balance: '0.3' },
  ),
  onMinimalAccount(
    'balance_mismatch_on_transfer_balance',
    'transfer_balance',
    { ...current('2024-06-02'), last_statement_balance: '0.10', transfer_balance: '10.11' },
    { ...current('2024-06-02'), last_statement_balance: '0.10', transfer_balance: '10.1' },
  ),
  onMinimalAccount(
    'balance_mismatch_on_ledger_balance',
    'ledgers.0.ledger_balance',
    ledger('10.01', current('2024-06-02')),
    ledger('10.00', current('2024-06-02')),
  ),
  onMinimalAccount(
    'historical_statement_transactions_balance_mismatch',
    'last_statement_balance',
    { ...history('2024-05-01'), last_statement_balance: '9.99' },
    { ...history('2024-05-01'), last_statement_balance: '10' },
  ),
  onMinimalAccount(
    'duplicate_ledger_entries_found',
    'ledgers.1.ledger_code',
    { ledgers: [{}, {}] },
    { ledgers: [{}, MAIN] },
  ),
  onMinimalAccount(
    'duplicate_identifiers_entries_found',
    'ledgers.1.identifiers',
    {
      ...supplied({}),
      ledgers: [MAIN, { ledger_code: 'SERVICES' }].map((one) => ({ ...one, identifiers: ['1000000000110'] })),
    },
    { ...supplied({}), ledgers: [{ ...MAIN, identifiers: ['1000000000110'] }] },
  ),
  onMinimalAccount(
    'unknown_ledger_identifiers',
    'ledgers.0.identifiers',
    { ...supplied({}), ledgers: [{ ...MAIN, identifiers: ['1000000000129'] }] },
    { ...supplied({}), ledgers: [{ ...MAIN, identifiers: ['1000000000110'] }] },
  ),
  onMinimalAccount(
    'unbillable_ledger_transactions_in_current_statement_transactions',
    'ledgers.0.current_statement_transactions',
    ledger('10.00', current('2024-06-02')),
    ledger('10.00', { ...current('2024-06-02'), ledger_code: 'SERVICES' }),
    {
      references: {
        ledger_types: [
          { code: 'MAIN', billable: false },
          { code: 'SERVICES', billable: true },
        ],
      },
    },
  ),
  onMinimalAccount(
    'duplicate_transaction_ids',
    'ledgers.0.current_statement_transactions.0.transaction_id',
    {
      ...ledger('10.00', current('2024-06-02')),
      historical_statement_transactions: [
        payment('C1', '2024-05-01', { amount: '0', type: 'CREDIT', reason: 'GOODWILL_PAYMENT' }),
      ],
    },
    {
      ...ledger('10.00', current('2024-06-02')),
      historical_statement_transactions: [
        payment('C2', '2024-05-01', { amount: '0', type: 'CREDIT', reason: 'GOODWILL_PAYMENT' }),
      ],
    },
  ),
  transactions(
    'duplicate_transaction_ids',
    'transactions.1.transaction_id',
    { transactions: [payment('C1', '2024-06-02'), payment('C1', '2024-06-03')] },
    { transactions: [payment('C1', '2024-06-02'), payment('c1', '2024-06-02')] },
  ),
  onMinimalAccount(
    'missing_transaction_id',
    'current_statement_transactions.0.transaction_id',
    { ...current('2024-06-02'), 'current_statement_transactions.0.transaction_id': undefined },
    current('2024-06-02'),
  ),
  transactions(
    'transaction_in_future',
    'transactions.0.transaction_date',
    { transactions: [payment('C1', '2026-01-16')] },
    { transactions: [payment('C1', '2026-01-15')] },
  ),
  onDomesticAccount(
    'transactions_target_non_initialised_prepay_meter',
    'ledgers.1.current_statement_transactions.1.to_prepay_meter_serial_number',
    {
      'ledgers.1.current_statement_transactions.1.to_prepay_meter_serial_number': 'E6S0099187',
      'ledgers.1.ledger_balance': '-24.00',
      transfer_balance: '51.50',
    },
    { 'ledgers.1.current_statement_transactions.1.to_prepay_meter_serial_number': '' },
  ),
  onMinimalAccount(
    'historical_statement_billing_document_identifier_missing',
    'historical_statement_transactions.0.billing_document_identifier',
    history('2024-05-01'),
    history('2024-05-01', BILL),
    { instance: { require_billing_document_identifier: true } },
  ),
  onMinimalAccount(
    'historical_statement_billing_document_identifier_not_allowed_when_feature_flag_disabled',
    'historical_statement_transactions.0.billing_document_identifier',
    history('2024-05-01', BILL),
    history('2024-05-01'),
    { instance: { require_billing_document_identifier: false } },
  ),
  onMinimalAccount(
    'billing_document_identifier_not_allowed_for_current_statement_transactions',
    'current_statement_transactions.0.billing_document_identifier',
    current('2024-06-02', BILL),
    current('2024-06-02', { billing_document_identifier: '' }),
  ),
  onMinimalAccount(
    'historical_statement_billing_document_identifier_mismatch',
    'historical_statement_transactions.1.billing_document_identifier',
    {
      ...history('2024-05-01', BILL),
      'historical_statement_transactions.1': payment('H2', '2024-05-02', {
        billing_document_identifier: 'B-2',
        amount: '0',
        type: 'CREDIT',
        reason: 'GOODWILL_PAYMENT',
      }),
    },
    {
      ...history('2024-05-01', BILL),
      'historical_statement_transactions.1': payment('H2', '2024-05-02', {
        ...BILL,
        amount: '0',
        type: 'CREDIT',
        reason: 'GOODWILL_PAYMENT',
      }),
    },
    { instance: { require_billing_document_identifier: true } },
  ),
  onDomesticAccount.value('product_code_does_not_exist', `${CHARGE}.product_code`, 'HOME', 'HOME-VAR'),
  onMinimalAccount(
    'ledger_transaction_amount_does_not_match_with_line_item_net_amount_and_tax_amount',
    'current_statement_transactions.0.amount',
    charged({ amount: '9.99' }),
    charged({ amount: '10' }),
    ANY_PRODUCT,
  ),
  onMinimalAccount(
    'supply_point_identifier_required_for_rate_specification_code',
    'current_statement_transactions.0.supply_point_identifier',
    charged({ line_items: [{ ...LINE, rate_band: '', rate_specification_code: 'R' }] }),
    charged({
      line_items: [{ ...LINE, rate_band: '', rate_specification_code: 'R' }],
      supply_point_identifier: '1000000000110',
    }),
    ANY_PRODUCT,
  ),
  onDomesticAccount(
    'supply_charge_line_items_not_covered_by_single_agreement',
    `${CHARGE}.line_items`,
    { [`${E}.agreements.0.effective_to`]: '2024-05-02', [`${E}.agreements.1.effective_from`]: '2024-05-02' },
    { [`${E}.agreements.0.effective_to`]: '2024-05-01', [`${E}.agreements.1.effective_from`]: '2024-05-01' },
  ),
  onDomesticAccount(
    'gaps_or_overlaps_in_periods',
    'ledgers.0.historical_statement_transactions',
    {
      [`${CHARGE}.line_items.0.end_date`]: '2024-05-10',
      [`${CHARGE}.line_items.1.start_date`]: '2024-05-12',
    },
    {
      [`${CHARGE}.line_items.0.end_date`]: '2024-05-10',
      [`${CHARGE}.line_items.1.start_date`]: '2024-05-11',
    },
  ),
  onDomesticAccount(
    'gaps_or_overlaps_in_periods',
    'ledgers.0.historical_statement_transactions',
    { [`${CHARGE}.line_items.1.rate_band`]: 'CONSUMPTION_STANDARD' },
    { [`${CHARGE}.line_items.1.rate_band`]: 'STANDING_CHARGE' },
  ),
  onMinimalAccount(
    'incorrect_line_item_net_amount',
    'current_statement_transactions.0.line_items.0.net_amount',
    charged({ line_items: [{ ...LINE, price_per_unit: '0.9994' }] }),
    charged({ line_items: [{ ...LINE, price_per_unit: '0.9995' }] }),
    ANY_PRODUCT,
  ),
  onMinimalAccount(
    'conflicting_rate_band_specification',
    'current_statement_transactions.0.line_items.0.rate_band',
    charged({ line_items: [{ ...LINE, time_series_specification_code: 'T' }] }),
    charged({ line_items: [{ ...LINE, time_series_specification_code: ' ' }] }),
    ANY_PRODUCT,
  ),
  onMinimalAccount(
    'line_item_units_must_be_two_values',
    'current_statement_transactions.0.line_items.0.units',
    charged({ line_items: [{ ...LINE, units: ['1', '2', '3'] }] }),
    charged({ line_items: [{ ...LINE, units: ['1', '2'] }] }),
    ANY_PRODUCT,
  ),
  onMinimalAccount(
    'historical_statement_period_end_in_future',
    'historical_statement_transactions.1.transaction_date',
    histories('2026-01-10', '2026-01-16'),
    histories('2026-01-10', '2026-01-15'),
    { otherBreaches: ['historical_statement_transactions.1.transaction_date transaction_in_future'] },
  ),
  onMinimalAccount(
    'historical_statement_period_end_in_future',
    'ledgers.0.last_statement_closing_date',
    ledger('10.00', { ...history('2026-01-10'), last_statement_closing_date: '2026-01-16' }),
    ledger('10.00', { ...history('2026-01-10'), last_statement_closing_date: '2026-01-15' }),
  ),
  onMinimalAccount(
    'last_statement_issued_before_closing_date',
    'ledgers.0.last_statement_issue_date',
    ledger('10.00', {
      ...history('2024-06-01'),
      last_statement_closing_date: '2024-06-02',
      last_statement_issue_date: '2024-06-01',
    }),
    ledger('0.00', { last_statement_closing_date: '2024-06-02', last_statement_issue_date: '2024-06-01' }),
  ),
  onMinimalAccount(
    'unbillable_ledger_transactions_in_current_statement_transactions',
    'ledgers.0.current_statement_transactions',
    ledger('10.00', current('2024-06-02')),
    ledger('0.00', {}),
    { references: { ledger_types: [{ code: 'MAIN', billable: false }] } },
  ),

  // The days of a charge are those of all its lines, in whatever order they are sent.
  onDomesticAccount(
    'supply_charge_line_items_not_covered_by_single_agreement',
    `${CHARGE}.line_items`,
    { ...daysOf('2024-05-11', '2024-05-31', '2024-05-01', '2024-05-10'), ...changedOn('2024-05-05') },
    { ...daysOf('2024-05-11', '2024-05-31', '2024-05-01', '2024-05-10'), ...changedOn('2024-05-01') },
  ),
  onDomesticAccount(
    'supply_charge_line_items_not_covered_by_single_agreement',
    `${CHARGE}.line_items`,
    {
      ...daysOf('2024-05-01', '2024-05-31', '2024-05-01', '2024-05-10'),
      [`${E}.agreements.1.effective_to`]: '2024-05-15',
    },
    daysOf('2024-05-01', '2024-05-31', '2024-05-01', '2024-05-10'),
    {
      otherBreaches: ['no_agreement_covering_last_billed_to_date', 'meter_point_with_no_agreement'].map(
        (code) => `${E}.agreements ${code}`,
      ),
    },
  ),
  onDomesticAccount(
    'gaps_or_overlaps_in_periods',
    'ledgers.0.historical_statement_transactions',
    { ...daysOf('2024-05-01', '2024-05-20', '2024-05-05', '2024-05-10'), ...furtherLine('2024-05-22') },
    { ...daysOf('2024-05-01', '2024-05-20', '2024-05-05', '2024-05-10'), ...furtherLine('2024-05-21') },
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'current_statement_transactions.0.line_items.0.end_date',
    charged({ line_items: [{ ...LINE, start_date: '2024-01-01', end_date: '2023-12-31' }] }),
    charged({ line_items: [{ ...LINE, start_date: '2024-01-01', end_date: '2024-01-01' }] }),
    ANY_PRODUCT,
  ),
];

function histories(...days: string[]): Edits {
  return {
    historical_statement_transactions: days.map((day, i) => payment(`H${i}`, day)),
    last_statement_balance: `${days.length * 10}.00`,
  };
}

/** The days of the two lines of the domestic example's electricity charge. */
function daysOf(...[start, end, nextStart, nextEnd]: [string, string, string, string]): Edits {
  return {
    [`${CHARGE}.line_items.0.start_date`]: start,
    [`${CHARGE}.line_items.0.end_date`]: end,
    [`${CHARGE}.line_items.1.start_date`]: nextStart,
    [`${CHARGE}.line_items.1.end_date`]: nextEnd,
  };
}

/** Adds a line from this day to the end of May. */
function furtherLine(start_date: string): Edits {
  const line = { rate_band: 'CONSUMPTION_STANDARD', number_of_units: '0', net_amount: '0.00' };
  return { [`${CHARGE}.line_items.2`]: { ...line, start_date, end_date: '2024-05-31' } };
}

/** The electricity agreement of the domestic example changes on this day. */
function changedOn(day: string): Edits {
  return { [`${E}.agreements.0.effective_to`]: day, [`${E}.agreements.1.effective_from`]: day };
}
