import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  Flag,
  Integer,
  ListOf,
  Moment,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { unionOf } from '../vocabulary/union';
import { LedgerRef } from './ledger';

/** The published types of mandates. */
export const INSTRUCTION_TYPES = ['CARD', 'CUSTOM', 'DIRECT_DEBIT', 'PAYMENT_SLIP'] as const;

@About('A mandate to collect payments, held by a payment vendor.')
export class PaymentInstruction {
  @Choice('Type of mandate.', INSTRUCTION_TYPES, { required: true, example: 'DIRECT_DEBIT' })
  type: (typeof INSTRUCTION_TYPES)[number];

  @Text("Vendor that holds the mandate, from the operator's list.", {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor: string;

  @Code("The vendor's reference of the mandate.", { required: true, maxLength: 512, example: 'DDM-77120' })
  reference: string;

  @Code("The vendor's reference of the customer.", { maxLength: 512 }) customer_reference?: string;

  @Code('Identifier by which other parts of the payload refer to the mandate.', { example: 'mandate-1' })
  instruction_identifier?: string;

  @Code('Type of the ledger that the mandate pays into.', { example: 'MAIN', list: 'ledger_types' })
  ledger_code?: string;

  @Flag("Whether the ledger's payment schedule collects through the mandate.")
  use_for_scheduled_payments?: boolean;

  @CalendarDate('First day on which the mandate may be used.', { nullable: true }) valid_from?: string | null;
}

@About('A reference to an existing mandate.')
export class ExistingInstructionRef {
  @Text("Vendor that holds the mandate, from the operator's list.", {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor_name: string;

  @Code("The vendor's reference of the mandate.", { required: true, maxLength: 512, example: 'DDM-77120' })
  vendor_reference: string;
}

@About('A reference to a mandate of this payload.')
export class NewInstructionRef {
  @Code('Identifier of the mandate in this payload.', {
    required: true,
    maxLength: 512,
    example: 'mandate-1',
  })
  instruction_identifier: string;
}

abstract class AnyPaymentPreference {
  @Code('Identifier of the ledger in this payload.', { required: true, example: 'ledger-energy' })
  ledger_identifier: string;
}

@About('The ledger is paid through an existing mandate.')
export class ActiveExistingPreference extends AnyPaymentPreference {
  @Choice('Type of the preference: an existing mandate.', ['ACTIVE_EXISTING'], { required: true })
  type: 'ACTIVE_EXISTING';

  @Nested('Reference of the mandate.', ExistingInstructionRef, { required: true })
  instruction_reference_params: ExistingInstructionRef;
}

@About('The ledger is paid through a mandate of this payload.')
export class ActiveNewPreference extends AnyPaymentPreference {
  @Choice('Type of the preference: a mandate of this payload.', ['ACTIVE_NEW'], { required: true })
  type: 'ACTIVE_NEW';

  @Nested('Reference of the mandate.', NewInstructionRef, { required: true })
  instruction_reference_params: NewInstructionRef;
}

@About('The ledger is paid by the customer without a mandate.')
export class PassivePreference extends AnyPaymentPreference {
  @Choice('Type of the preference: no mandate.', ['PASSIVE'], { required: true }) type: 'PASSIVE';
}

/** How a ledger is paid. */
export type PaymentPreference = ActiveExistingPreference | ActiveNewPreference | PassivePreference;

/** The union of all payment preferences, by `type`. */
export const anyPaymentPreference = unionOf(
  'PaymentPreference',
  'How a ledger is paid; `type` selects the kind of mandate, if any.',
  'type',
  { ACTIVE_EXISTING: ActiveExistingPreference, ACTIVE_NEW: ActiveNewPreference, PASSIVE: PassivePreference },
);

@About('An instalment of a schedule that was planned in advance.')
export class Instalment {
  @CalendarDate('Day on which the instalment is due.', { required: true }) payment_date: string;

  @Decimal('Amount of the instalment.', {
    amount: AMOUNTS.payment,
    required: true,
    whole: 8,
    places: 2,
    example: '25.00',
  })
  amount: string;

  @Choice('Type of instalment; the only published value is the empty text.', ['']) payment_type?: '';
}

const TRIGGERS = ['PLAN', 'REGULAR', 'REGULAR_PLAN', 'BALANCE', 'BILL'] as const;
const MEANS = ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'] as const;
const FREQUENCIES = [
  'MONTHLY',
  'QUARTERLY',
  'WEEKLY',
  'FORTNIGHTLY',
  'FOUR_WEEKLY',
  'ANNUALLY',
  'SIX_MONTHLY',
] as const;
const DELAY_STRATEGIES = ['FIXED', 'WORKING_DAYS'] as const;
const PAYERS = ['CUSTOMER', 'FUEL_DIRECT'] as const;

@About('When and how payments are collected.')
export class PaymentSchedule {
  @CalendarDate('First day of the schedule.', { required: true, example: '2024-01-01' }) start_date: string;
  @CalendarDate('Last day of the schedule; null if open-ended.', { nullable: true }) end_date?: string | null;

  @Choice('Trigger of a collection; with BILL each bill is paid in full.', TRIGGERS, {
    default: 'REGULAR',
    example: 'REGULAR',
  })
  trigger?: (typeof TRIGGERS)[number];

  @Choice('How the payments are made.', MEANS, { required: true, example: 'DD' })
  means: (typeof MEANS)[number];

  @Choice('Frequency of the payments.', FREQUENCIES, { example: 'MONTHLY' })
  frequency?: (typeof FREQUENCIES)[number];

  @Integer('Day of the month on which a payment is due.', { nullable: true, example: 1 })
  day_of_month?: number | null;

  @Decimal('Amount of each payment.', {
    amount: AMOUNTS.payment,
    whole: 8,
    places: 2,
    default: '0.00',
    example: '130.00',
  })
  amount?: string;

  @Decimal('Balance of the ledger below which a payment is collected; for the trigger BALANCE.', {
    amount: AMOUNTS.balance,
    whole: 8,
    places: 2,
  })
  balance_threshold?: string;

  @Integer('Number of days from bill to collection; for the trigger BILL.') delay_days?: number;

  @Choice('Whether the delay is counted in calendar days or working days.', DELAY_STRATEGIES)
  delay_strategy?: (typeof DELAY_STRATEGIES)[number];

  @Flag('Whether the schedule repays a debt; it may then overlap with other schedules.', { default: false })
  is_debt_repayment_plan?: boolean;

  @Decimal('The part of each payment that repays debt.', { amount: AMOUNTS.payment, whole: 8, places: 2 })
  debt_repayment_element?: string;

  @CalendarDate('Last day on which that part is collected.') debt_repayment_end_date?: string;

  @Flag('Whether payment reviews leave the schedule unchanged; for the trigger REGULAR.', { default: false })
  exempt_from_payment_adequacy?: boolean;

  @ListOf('Planned instalments, at most one of each type a day; for the trigger PLAN.', Instalment)
  instalments?: Instalment[];

  @Code('Type of the ledger that the schedule is for.', { example: 'MAIN', list: 'ledger_types' })
  ledger_code?: string;

  @Choice('Payer of the schedule.', PAYERS, { default: 'CUSTOMER' }) paid_by?: (typeof PAYERS)[number];
}

@About('A component of a planned payment.')
export class PaymentPlanComponent {
  @Text('Type of the component, as defined by the strategy.', { required: true, example: 'DEBT' })
  component_type: string;

  @Integer('Amount of the component.', {
    amount: AMOUNTS.minorPayment,
    required: true,
    min: 0,
    example: 2500,
  })
  amount: number;
}

@About('A payment of a plan.')
export class PaymentPlanPayment {
  @CalendarDate('Day on which the payment is due.', { required: true }) payment_date: string;

  @Integer('Total of the payment.', { amount: AMOUNTS.minorPayment, required: true, min: 0, example: 2500 })
  total_amount: number;

  @ListOf('Components of the payment, if any.', PaymentPlanComponent, { required: true })
  amount_components: PaymentPlanComponent[];
}

@About('A plan of individually agreed payments.')
export class PaymentPlan {
  @Text("Strategy of the plan, from the operator's list.", {
    required: true,
    example: 'FIXED_TERM',
    list: 'payment_plan_strategies',
  })
  strategy_name: string;

  @Choice('How the payments are made.', MEANS, { required: true }) schedule_means: (typeof MEANS)[number];

  @Moment('When the plan was agreed.', { required: true }) accepted_at: string;

  @ListOf('Payments of the plan; each component type at most once a day.', PaymentPlanPayment, {
    required: true,
  })
  payments: PaymentPlanPayment[];
}

@About('A payment that the customer promised.')
export class PaymentPromise {
  @Decimal('Amount promised.', {
    amount: AMOUNTS.payment,
    required: true,
    whole: 8,
    places: 2,
    example: '50.00',
  })
  amount: string;

  @CalendarDate('Day by which the payment was promised.', { required: true }) payment_date: string;
  @Code('Type of the ledger that the payment is for.') ledger_code?: string;
}

@About('A completed review of whether the payments are sufficient.')
export class PaymentAdequacyChange {
  @Moment('When the review was made.', { required: true }) created_at: string;

  @Moment('When the result was announced and applied; null if it was not.', { nullable: true })
  applied_at?: string | null;

  @Text('Reason why the result was not applied; null if it was.', { maxLength: 512, nullable: true })
  should_not_be_applied_reason?: string | null;

  @Integer('A twelfth of the yearly charges for electricity and gas together.', {
    amount: AMOUNTS.minorTotal,
    required: true,
    min: 0,
    example: 8000,
  })
  average_monthly_charge: number;

  @Integer('The part of the monthly charge for electricity.', {
    amount: AMOUNTS.minorTotal,
    required: true,
    min: 0,
    example: 5000,
  })
  average_monthly_elec_charge: number;

  @Integer('The part of the monthly charge for gas.', {
    amount: AMOUNTS.minorTotal,
    required: true,
    min: 0,
    example: 3000,
  })
  average_monthly_gas_charge: number;

  @Integer('Balance on the day of the review.', {
    amount: AMOUNTS.minorBalance,
    required: true,
    example: -1200,
  })
  current_balance: number;

  @Integer('Target balance one year after the review.', {
    amount: AMOUNTS.minorBalance,
    required: true,
    example: 0,
  })
  target_balance: number;

  @Integer('Monthly adjustment to reach the target balance; zero if negligible.', {
    amount: AMOUNTS.minorIncrease,
    required: true,
    example: 100,
  })
  balance_adjustment: number;

  @Integer('Monthly direct debit before the review.', {
    amount: AMOUNTS.minorPayment,
    required: true,
    min: 0,
    example: 7500,
  })
  existing_direct_debit_payment: number;

  @Integer('Monthly direct debit advised by the review.', {
    amount: AMOUNTS.minorPayment,
    required: true,
    min: 0,
    example: 8100,
  })
  new_direct_debit: number;

  @Nested('Ledger that was reviewed.', LedgerRef) ledger?: LedgerRef;
}
