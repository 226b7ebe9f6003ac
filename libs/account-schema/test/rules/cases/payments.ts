import { type Edits, onBody, onDomesticAccount, onMinimalAccount, type RuleCase } from '../rule-case';
import { COMPLAINT, PLAN, REVIEW, SCHEDULE } from './parts';

const MANDATE = { type: 'DIRECT_DEBIT', vendor: 'VENDOR_A', reference: 'DDM-1' };
const ON_MAIN = { ledger_code: 'MAIN' };
const DEPOSIT = { deposit_amount: '50.00', reason: 'Two missed payments.' };
const CONTRIBUTION = {
  scheme: 'SOLAR_FUND',
  amount: '2.00',
  interval: 'MONTHLY',
  active_period_start_date: '2024-01-01',
};
const FIT = {
  payment_method: 'BACS',
  vendor_name: 'VENDOR_A',
  instruction_reference: 'FIT-1',
  installations: [{ fit_id: 'FIT00112233-1' }],
  meters: [
    {
      type: 'EXPORT',
      serial_number: 'G09A11234',
      extensions: ['1'],
      last_billed_to_date: '2024-06-01',
      transfer_reading: { reading_date: '2024-06-01', reading_value: '4210' },
    },
  ],
};

const instruction = onBody('PaymentInstructionRequest', {
  import_supplier: 'LEGACY_A',
  external_account_number: 'A-1',
  type: 'CARD',
  vendor: 'VENDOR_A',
  reference: 'CRD-1',
});

const task = onBody('TaskParams', {});

function scheduled(...schedules: object[]): Edits {
  return { payment_schedules: schedules.map((one) => ({ ...SCHEDULE, ...one })) };
}

function reviewed(fields: object): Edits {
  return { payment_adequacy_changes: [{ ...REVIEW, ...fields }] };
}

function planned(payments: object[]): Edits {
  return { payment_plans: [{ ...PLAN, payments }] };
}

function complained(fields: object): Edits {
  return { complaints: [{ ...COMPLAINT, ...fields }] };
}

function contributed(...agreements: object[]): Edits {
  return { contribution_agreements: agreements.map((one) => ({ ...CONTRIBUTION, ...one })) };
}

function due(date: string, ...types: string[]): object {
  return {
    payment_date: date,
    total_amount: 10 * types.length,
    amount_components: types.map((component_type) => ({ component_type, amount: 10 })),
  };
}

/** Cases of mandates, schedules, plans, reviews, debts, complaints, contributions and the schedule window. */
export const PAYMENT_CASES: readonly RuleCase[] = [
  onMinimalAccount(
    'ledger_code_does_not_exist',
    'payment_instructions.0.ledger_code',
    { payment_instructions: [{ ...MANDATE, ledger_code: 'OTHER' }] },
    { payment_instructions: [{ ...MANDATE, ledger_code: 'SERVICES' }] },
  ),
  onMinimalAccount(
    'payment_instructions_ledger_code_uniformity_failed',
    'payment_instructions.1.ledger_code',
    { payment_instructions: [{ ...MANDATE, ...ON_MAIN }, MANDATE] },
    { payment_instructions: [MANDATE, MANDATE] },
  ),
  onMinimalAccount(
    'incomplete_payments_not_enabled',
    'payment_instructions.0.reference',
    { payment_instructions: [{ type: 'CARD', vendor: 'VENDOR_A' }] },
    { payment_instructions: [MANDATE] },
  ),
  instruction('mutually_exclusive_field_required', 'reference', { reference: ' ' }, {}),
  instruction(
    'mutually_exclusive_field_required',
    'reference',
    { instruction_reference: 'CRD-1' },
    { instruction_reference: 'CRD-1', reference: undefined },
  ),
  onDomesticAccount.value(
    'invalid_payment_preference_ledger_identifier',
    'payment_preferences.1.ledger_identifier',
    'ledger-water',
    'ledger-services',
  ),
  onDomesticAccount(
    'duplicate_ledger_in_payment_preferences',
    'payment_preferences.1.ledger_identifier',
    { 'payment_preferences.1.ledger_identifier': 'ledger-energy' },
    {},
  ),
  onDomesticAccount(
    'active_new_payment_preference_invalid_instruction_identifier',
    'payment_preferences.0.instruction_reference_params.instruction_identifier',
    { 'payment_preferences.0.instruction_reference_params.instruction_identifier': 'mandate-2' },
    {},
  ),
  onMinimalAccount(
    'payment_plan_strategy_does_not_exist',
    'payment_plans.0.strategy_name',
    { payment_plans: [{ ...PLAN, strategy_name: 'OTHER' }] },
    { payment_plans: [PLAN] },
    { references: { payment_plan_strategies: ['FIXED_TERM'] } },
  ),
  onMinimalAccount(
    'duplicate_payment_component_combinations',
    'payment_plans.0.payments.1.amount_components.0.component_type',
    planned([due('2026-02-01', 'DEBT'), due('2026-02-01', 'DEBT')]),
    planned([due('2026-02-01', 'DEBT'), due('2026-02-02', 'DEBT')]),
  ),
  onMinimalAccount(
    'payment_plan_payment_components_do_not_sum_to_total',
    'payment_plans.0.payments.0.total_amount',
    { ...planned([due('2026-02-01', 'DEBT')]), 'payment_plans.0.payments.0.total_amount': 11 },
    { ...planned([due('2026-02-01')]), 'payment_plans.0.payments.0.total_amount': 11 },
  ),
  onMinimalAccount(
    'payment_plan_and_payment_schedule_not_allowed_on_same_ledger',
    'payment_schedules',
    { payment_plans: [PLAN], ...scheduled({ ledger_code: 'MAIN' }) },
    { payment_plans: [PLAN], ...scheduled({ ledger_code: 'SERVICES' }) },
  ),
  onDomesticAccount(
    'payment_instruction_details_incomplete',
    'fit.instruction_reference',
    { fit: { ...FIT, vendor_name: '' } },
    {
      fit: { ...FIT, vendor_name: '', payment_method: 'CHEQUE' },
    },
  ),
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
    'payment_adequacy_changes_and_last_payment_review_date_provided',
    'last_payment_review_date',
    { ...reviewed({}), last_payment_review_date: '2024-01-01' },
    { ...reviewed({}), last_payment_review_date: null },
  ),
  ...onMinimalAccount.rows({}, [
    ['last_payment_review_date_is_future_dated', 'last_payment_review_date', '2026-01-16', '2026-01-15'],
    ['cais_references_not_supported', 'debts.0.cais_reference', 'R', ' '],
    ['multiple_active_deposits_not_allowed', 'deposit_agreements', [DEPOSIT, DEPOSIT], [DEPOSIT]],
  ]),
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
    'payment_adequacy_new_direct_debit_amount_mismatch',
    'payment_adequacy_changes.0.new_direct_debit',
    reviewed({ new_direct_debit: 7499 }),
    reviewed({ new_direct_debit: 7500 }),
  ),
  onMinimalAccount('debt_and_debts_are_defined', 'debt', { debt: {}, debts: [{}] }, { debt: {}, debts: [] }),
  onMinimalAccount(
    'debt_collection_agency_name_required',
    'debts.0.agency_name',
    { debts: [{ start_date: '2024-01-01', agency_name: '' }] },
    { debts: [{ start_date: '2024-01-01', agency_name: 'Fernley Collections' }] },
  ),
  onMinimalAccount(
    'debt_collection_agency_does_not_exist',
    'debt.agency_name',
    { debt: { agency_name: 'Fernley' } },
    { debt: { agency_name: 'Fernley Collections' } },
    { references: { debt_collection_agencies: ['Fernley Collections'] } },
  ),
  onMinimalAccount(
    'dunning_path_not_found',
    'dunning_path.path_name',
    { dunning_path: { path_name: 'Harsh reminders' } },
    { dunning_path: { path_name: 'Gentle reminders' } },
    { references: { dunning_paths: ['Gentle reminders'] } },
  ),
  onMinimalAccount(
    'date_in_past',
    'dunning_path.start_date',
    { dunning_path: { path_name: 'Gentle reminders', start_date: '2026-01-14' } },
    { dunning_path: { path_name: 'Gentle reminders', start_date: '2026-01-15' } },
  ),
  onMinimalAccount(
    'last_interest_date_not_allowed',
    'deposit_agreements.0.last_interest_date',
    { deposit_agreements: [{ ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: null }] },
    {
      deposit_agreements: [
        { ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: '2024-02-01T10:00:00Z' },
      ],
    },
  ),
  onMinimalAccount(
    'fulfilled_at_greater_than_last_interest_date',
    'deposit_agreements.0.last_interest_date',
    {
      deposit_agreements: [
        { ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: '2024-02-02T00:00:00Z' },
      ],
    },
    {
      deposit_agreements: [
        { ...DEPOSIT, last_interest_date: '2024-02-01', fulfilled_at: '2024-02-01T23:59:59Z' },
      ],
    },
  ),
  onMinimalAccount(
    'invalid_complaint_type_or_subtype',
    'complaints.0.subtype_of_complaint',
    complained({ subtype_of_complaint: 'NO_BILL' }),
    complained({}),
    { references: { complaint_types: [{ type: 'BILLING', subtypes: ['LATE_BILL'] }] } },
  ),
  onMinimalAccount(
    'invalid_complaint_source',
    'complaints.0.complaint_contacts.0.communication_source',
    complained({ complaint_contacts: [contact('DOORSTEP')] }),
    complained({ complaint_contacts: [contact('CONTACT_CENTRE')] }),
    { references: { complaint_sources: ['CONTACT_CENTRE'] } },
  ),
  onMinimalAccount(
    'invalid_official_organization_or_status',
    'complaints.0.official_status',
    complained({ official_entity: 'OMBUDSMAN', official_status: 'LOST', official_reference_number: '1' }),
    complained({ official_entity: 'OMBUDSMAN', official_status: 'OPEN', official_reference_number: '1' }),
    { references: { official_bodies: [{ name: 'OMBUDSMAN', statuses: ['OPEN'] }] } },
  ),
  onMinimalAccount(
    'official_complaint_field_missing',
    'complaints.0.official_reference_number',
    complained({ official_entity: 'OMBUDSMAN', official_status: 'OPEN' }),
    complained({ official_entity: '', official_status: '' }),
  ),
  onMinimalAccount(
    'chsr_letter_not_sent',
    'complaints.0.has_chsr_letter_been_sent',
    complained({ has_eight_week_letter_been_sent: true }),
    complained({ has_eight_week_letter_been_sent: true, has_chsr_letter_been_sent: true }),
  ),
  onMinimalAccount(
    'invalid_contribution_scheme',
    'contribution_agreements.0.scheme',
    contributed({ scheme: 'WIND_FUND' }),
    contributed({}),
    { references: { contribution_schemes: ['SOLAR_FUND'] } },
  ),
  onMinimalAccount(
    'overlapping_contribution_agreements',
    'contribution_agreements',
    contributed({ active_period_end_date: '2024-06-30' }, { active_period_start_date: '2024-06-30' }),
    contributed({ active_period_end_date: '2024-06-29' }, { active_period_start_date: '2024-06-30' }),
  ),
  onMinimalAccount(
    'invalid_contribution_period_start_date',
    'contribution_agreements.0.periods.0.start_date',
    contributed({ periods: [{ start_date: '2023-12-31', end_date: '2024-02-01' }] }),
    contributed({ periods: [{ start_date: '2024-01-01', end_date: '2024-02-01' }] }),
  ),
  onMinimalAccount(
    'invalid_contribution_period_end_date',
    'contribution_agreements.0.periods.0.end_date',
    contributed({
      active_period_end_date: '2024-06-30',
      periods: [{ start_date: '2024-01-01', end_date: '2024-07-01' }],
    }),
    contributed({
      active_period_end_date: '2024-06-30',
      periods: [{ start_date: '2024-01-01', end_date: '2024-06-30' }],
    }),
  ),
  onMinimalAccount(
    'overlapping_contribution_periods',
    'contribution_agreements.0.periods',
    contributed({ periods: months('2024-01-01', '2024-02-02', '2024-02-01', '2024-03-01') }),
    contributed({ periods: months('2024-01-01', '2024-02-01', '2024-02-01', '2024-03-01') }),
  ),
  task(
    'schedule_window_start_in_past',
    'schedule_window_start',
    { schedule_window_start: '2026-01-15T11:59:59Z' },
    { schedule_window_start: '2026-01-15T12:00:00Z' },
  ),
  task(
    'schedule_window_end_too_far_in_future',
    'schedule_window_end',
    { schedule_window_end: '2026-01-19T12:00:01Z' },
    { schedule_window_end: '2026-01-19T12:00:00Z' },
  ),
  task(
    'schedule_window_start__after_end',
    'schedule_window_start',
    { schedule_window_end: '2026-01-15T12:00:00Z' },
    { schedule_window_end: '2026-01-15T12:00:01Z' },
  ),
];

function contact(communication_source: string): object {
  const created_at = '2024-01-01T09:00:00Z';
  return { body: 'x', communication_method: 'POST', communication_source, created_at, status: 'OPEN' };
}

function months(...days: [string, string, string, string]): object[] {
  const [start, end, nextStart, nextEnd] = days;
  return [
    { start_date: start, end_date: end },
    { start_date: nextStart, end_date: nextEnd },
  ];
}
