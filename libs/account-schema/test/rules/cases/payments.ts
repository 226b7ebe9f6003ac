import { type Edits, onBody, onDomesticAccount, onMinimalAccount, type RuleCase } from '../rule-case';
import { PLAN, scheduled } from './parts';

const MANDATE = { type: 'DIRECT_DEBIT', vendor: 'VENDOR_A', reference: 'DDM-1' };
const ON_MAIN = { ledger_code: 'MAIN' };
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

function planned(payments: object[]): Edits {
  return { payment_plans: [{ ...PLAN, payments }] };
}

function due(date: string, ...types: string[]): object {
  return {
    payment_date: date,
    total_amount: 10 * types.length,
    amount_components: types.map((component_type) => ({ component_type, amount: 10 })),
  };
}

/** Cases of mandates, preferences, plans, payments to a customer and the schedule window. */
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
  onMinimalAccount(
    'payment_plan_and_payment_schedule_not_allowed_on_same_ledger',
    'payment_schedules',
    { payment_plans: [PLAN], ...scheduled({ ledger_code: 'SERVICES' }, { ledger_code: 'MAIN' }) },
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
