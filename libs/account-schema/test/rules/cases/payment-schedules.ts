import { type Edits, onMinimalAccount, type RuleCase } from '../rule-case';
import { REVIEW, scheduled } from './parts';

const ON_MAIN = { ledger_code: 'MAIN' };

function reviewed(fields: object): Edits {
  return { payment_adequacy_changes: [{ ...REVIEW, ...fields }] };
}

/** Cases of payment schedules and of reviews of their amounts. */
export const PAYMENT_SCHEDULE_CASES: readonly RuleCase[] = [
  onMinimalAccount(
    'zero_payment_schedule_amount',
    'payment_schedules.0.amount',
    scheduled({ amount: '0.00' }),
    scheduled({ trigger: 'BILL', amount: '0.00' }),
    { instance: { payment_schedule_amount_min: undefined } },
  ),
  onMinimalAccount(
    'fixed_payment_schedule_amount_out_of_range',
    'payment_schedules.0.amount',
    scheduled({ amount: '100.01' }),
    scheduled({ amount: '100.00' }),
    { instance: { payment_schedule_amount_max: '100' } },
  ),
  onMinimalAccount(
    'fixed_payment_schedule_amount_out_of_range',
    'payment_schedules.0.amount',
    scheduled({ amount: '4.99' }),
    scheduled({ amount: '5.00' }),
    { instance: { payment_schedule_amount_min: '5.00' } },
  ),
  onMinimalAccount(
    'fixed_payment_schedule_missing_frequency',
    'payment_schedules.0.frequency',
    { ...scheduled({}), 'payment_schedules.0.frequency': undefined },
    { ...scheduled({ trigger: 'BILL' }), 'payment_schedules.0.frequency': undefined },
  ),
  onMinimalAccount(
    'fixed_payment_schedule_missing_day_of_month',
    'payment_schedules.0.day_of_month',
    scheduled({ day_of_month: null }),
    scheduled({ day_of_month: null, trigger: 'BILL' }),
  ),
  onMinimalAccount(
    'invalid_payment_day_for_payment_schedule',
    'payment_schedules.0.day_of_month',
    scheduled({ day_of_month: 29 }),
    scheduled({ day_of_month: 28 }),
  ),
  onMinimalAccount(
    'invalid_payment_day_for_payment_schedule',
    'payment_schedules.0.day_of_month',
    scheduled({ day_of_month: 4 }),
    scheduled({ day_of_month: 5 }),
    { instance: { payment_day_min: 5 } },
  ),
  onMinimalAccount(
    'balance_triggered_schedule_missing_threshold',
    'payment_schedules.0.balance_threshold',
    scheduled({ trigger: 'BALANCE' }),
    scheduled({ trigger: 'BALANCE', balance_threshold: '0.00' }),
  ),
  onMinimalAccount(
    'debt_repayment_missing_end_date',
    'payment_schedules.0.debt_repayment_end_date',
    scheduled({ debt_repayment_element: '5.00' }),
    scheduled({ debt_repayment_element: '5.00', debt_repayment_end_date: '2024-12-05' }),
  ),
  onMinimalAccount(
    'debt_repayment_end_date_after_schedule_end_date',
    'payment_schedules.0.debt_repayment_end_date',
    scheduled({ end_date: '2024-12-04', debt_repayment_end_date: '2024-12-05' }),
    scheduled({ end_date: '2024-12-05', debt_repayment_end_date: '2024-12-05' }),
  ),
  onMinimalAccount(
    'invalid_payment_schedule_to_exempt_from_payment_adequacy',
    'payment_schedules.0.exempt_from_payment_adequacy',
    scheduled({ trigger: 'REGULAR_PLAN', exempt_from_payment_adequacy: true }),
    scheduled({ trigger: 'REGULAR', exempt_from_payment_adequacy: true }),
  ),
  onMinimalAccount(
    'payment_instalments_not_provided',
    'payment_schedules.0.instalments',
    scheduled({ trigger: 'PLAN', instalments: [] }),
    scheduled({ trigger: 'REGULAR_PLAN', instalments: [] }),
  ),
  onMinimalAccount(
    'payment_instalments_do_not_sum_to_total',
    'payment_schedules.0.instalments',
    scheduled({ instalments: [{ payment_date: '2024-01-05', amount: '19.99' }] }),
    scheduled({ instalments: [{ payment_date: '2024-01-05', amount: '20' }] }),
  ),
  onMinimalAccount(
    'payment_instalments_date_outside_of_payment_schedule_active_period',
    'payment_schedules.0.instalments.0.payment_date',
    scheduled({ end_date: '2024-02-05', instalments: [{ payment_date: '2024-02-06', amount: '20' }] }),
    scheduled({ end_date: '2024-02-05', instalments: [{ payment_date: '2024-02-05', amount: '20' }] }),
  ),
  onMinimalAccount(
    'payment_instalments_date_outside_of_payment_schedule_active_period',
    'payment_schedules.0.instalments.0.payment_date',
    scheduled({ trigger: 'PLAN', instalments: [{ payment_date: '2024-01-04', amount: '20.00' }] }),
    scheduled({ trigger: 'PLAN', instalments: [{ payment_date: '2024-01-05', amount: '20.00' }] }),
  ),
  onMinimalAccount(
    'payment_schedule_delay_must_have_bill_trigger',
    'payment_schedules.0.trigger',
    scheduled({ delay_days: 0 }),
    scheduled({ delay_days: 0, trigger: 'BILL' }),
  ),
  onMinimalAccount(
    'payment_schedule_delay_strategy_missing_delay_days',
    'payment_schedules.0.delay_days',
    scheduled({ trigger: 'BILL', delay_strategy: 'FIXED' }),
    scheduled({ trigger: 'BILL', delay_strategy: 'FIXED', delay_days: 0 }),
  ),
  onMinimalAccount(
    'payment_schedules_ledger_code_uniformity_failed',
    'payment_schedules.0.ledger_code',
    scheduled({}, { ...ON_MAIN }),
    scheduled({ ledger_code: 'SERVICES' }, { ...ON_MAIN }),
  ),
  onMinimalAccount(
    'multiple_open_ended_payment_schedules',
    'payment_schedules.1.end_date',
    scheduled({}, { start_date: '2025-01-05' }),
    scheduled({}, { start_date: '2025-01-05', is_debt_repayment_plan: true }),
    { otherBreaches: ['payment_schedules.1.start_date payment_schedule_date_overlaps'] },
  ),
  onMinimalAccount(
    'payment_schedule_date_overlaps',
    'payment_schedules.1.start_date',
    scheduled({ end_date: '2025-01-05' }, { start_date: '2025-01-05' }),
    scheduled({ end_date: '2025-01-04' }, { start_date: '2025-01-05' }),
  ),
  onMinimalAccount(
    'payment_schedule_date_gaps',
    'payment_schedules.0.start_date',
    scheduled({ start_date: '2026-01-16' }, { end_date: '2026-01-14' }),
    scheduled({ start_date: '2026-01-16' }, { end_date: '2026-01-15' }),
  ),
  onMinimalAccount(
    'payment_schedule_date_gaps',
    'payment_schedules.1.start_date',
    scheduled({ end_date: '2025-01-04' }, { start_date: '2026-01-16' }),
    scheduled({ end_date: '2025-01-04' }, { start_date: '2026-01-15' }),
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'payment_schedules.0.end_date',
    scheduled({ end_date: '2024-01-04' }),
    scheduled({ end_date: '2024-01-05' }),
  ),
  onMinimalAccount(
    'payment_adequacy_changes_and_last_payment_review_date_provided',
    'last_payment_review_date',
    { ...reviewed({}), last_payment_review_date: '2024-01-01' },
    { ...reviewed({}), last_payment_review_date: null },
  ),
  onMinimalAccount.value(
    'last_payment_review_date_is_future_dated',
    'last_payment_review_date',
    '2026-01-16',
    '2026-01-15',
  ),
  onMinimalAccount(
    'payment_adequacy_invalid_dates',
    'payment_adequacy_changes.0.applied_at',
    reviewed({ applied_at: '2024-01-01T09:00:00Z' }),
    reviewed({ applied_at: '2024-01-01T09:00:01Z' }),
  ),
  onMinimalAccount(
    'payment_adequacy_invalid_dates',
    'payment_adequacy_changes.0.applied_at',
    reviewed({ applied_at: '2026-01-15T12:00:01Z' }),
    reviewed({ applied_at: '2026-01-15T12:00:00Z' }),
  ),
  onMinimalAccount(
    'payment_adequacy_invalid_dates',
    'payment_adequacy_changes.0.created_at',
    reviewed({ created_at: '2026-01-15T12:00:01Z', applied_at: null, should_not_be_applied_reason: 'x' }),
    reviewed({ created_at: '2026-01-15T12:00:00Z', applied_at: null, should_not_be_applied_reason: 'x' }),
  ),
  onMinimalAccount(
    'payment_adequacy_missing_reason',
    'payment_adequacy_changes.0.should_not_be_applied_reason',
    reviewed({ applied_at: null }),
    reviewed({ applied_at: null, should_not_be_applied_reason: 'Too little.' }),
  ),
  onMinimalAccount(
    'payment_adequacy_should_not_have_been_applied',
    'payment_adequacy_changes.0.applied_at',
    reviewed({ should_not_be_applied_reason: 'Too little.' }),
    reviewed({ should_not_be_applied_reason: null }),
  ),
  onMinimalAccount(
    'payment_adequacy_monthly_charges_unequal',
    'payment_adequacy_changes.0.average_monthly_charge',
    reviewed({ average_monthly_gas_charge: 1 }),
    reviewed({ average_monthly_gas_charge: 1, average_monthly_elec_charge: 7999 }),
  ),
  onMinimalAccount(
    'payment_adequacy_balance_adjustment_mismatch',
    'payment_adequacy_changes.0.balance_adjustment',
    reviewed({ current_balance: -1188 }),
    reviewed({ current_balance: -1189 }),
  ),
  onMinimalAccount(
    'payment_adequacy_balance_adjustment_mismatch',
    'payment_adequacy_changes.0.balance_adjustment',
    reviewed({ balance_adjustment: 1, new_direct_debit: 8000 }),
    reviewed({ balance_adjustment: 0, new_direct_debit: 8000 }),
  ),
  onMinimalAccount(
    'payment_adequacy_new_direct_debit_amount_mismatch',
    'payment_adequacy_changes.0.new_direct_debit',
    reviewed({ new_direct_debit: 7499 }),
    reviewed({ new_direct_debit: 7500 }),
  ),
  onMinimalAccount(
    'payment_adequacy_new_direct_debit_amount_mismatch',
    'payment_adequacy_changes.0.new_direct_debit',
    reviewed({ new_direct_debit: 8101 }),
    reviewed({ new_direct_debit: 7500 }),
  ),
  onMinimalAccount(
    'payment_adequacy_new_direct_debit_amount_mismatch',
    'payment_adequacy_changes.0.new_direct_debit',
    reviewed({ existing_direct_debit_payment: 9000, new_direct_debit: 9001 }),
    reviewed({ existing_direct_debit_payment: 9000, new_direct_debit: 8100 }),
  ),
];
