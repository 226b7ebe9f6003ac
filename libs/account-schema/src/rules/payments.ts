import { listRule } from './engine/list-rule';
import { each, eachRepeat, fieldRule, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { keyOf } from './terms/find-repeats';

/** Rules about payment instructions, payment preferences and payment plans. */
export const PAYMENT_RULES: readonly Rule[] = [
  listRule({
    code: 'ledger_code_does_not_exist',
    lists: { ledger_types: (code) => `There is no ledger type ${code}.` },
    reason: 'The ledger type must be one that the operator has configured.',
  }),
  rule({
    code: 'payment_instructions_ledger_code_uniformity_failed',
    on: 'account',
    field: 'payment_instructions.<i>.ledger_code',
    reason: 'With several mandates, each must name the ledger that it pays into.',
    breach: ({ payment_instructions: instructions }) => {
      const odd = findWithoutLedgerCode(instructions);
      return each(instructions, (one) => one === odd && 'Send a ledger code: other instructions have one.');
    },
  }),
  fieldRule({
    code: 'incomplete_payments_not_enabled',
    at: { paymentInstruction: ['reference'] },
    needs: ['instance: allow_incomplete_payment_instructions'],
    reportedAs: 'required',
    reason: 'A mandate is looked up at its vendor by reference.',
  }),
  rule({
    code: 'mutually_exclusive_field_required',
    on: 'paymentInstructionRequest',
    field: 'reference',
    reason: 'The reference must be sent once, under its new or its old name.',
    breach: ({ reference, instruction_reference: old }) =>
      isGiven(reference) === isGiven(old) &&
      'Send either reference or its former name, instruction_reference.',
  }),
  rule({
    code: 'invalid_payment_preference_ledger_identifier',
    on: 'account',
    field: 'payment_preferences.<i>.ledger_identifier',
    reason: 'A payment preference must refer to a ledger of the same payload.',
    breach: ({ payment_preferences: preferences, ledgers }) => {
      if (!preferences) return undefined;
      const known = new Set(ledgers?.map((ledger) => ledger.ledger_identifier));
      return each(
        preferences,
        ({ ledger_identifier: identifier }) =>
          !known.has(identifier) && `No ledger of the payload has the identifier ${quote(identifier)}.`,
      );
    },
  }),
  rule({
    code: 'duplicate_ledger_in_payment_preferences',
    on: 'account',
    field: 'payment_preferences.<i>.ledger_identifier',
    reason: 'A ledger has one payment preference.',
    breach: ({ payment_preferences: preferences }) =>
      eachRepeat(
        preferences,
        (one) => one.ledger_identifier,
        (first) => `Repeats payment_preferences.${first}, which is for this ledger as well.`,
      ),
  }),
  rule({
    code: 'active_new_payment_preference_invalid_instruction_identifier',
    on: 'account',
    field: 'payment_preferences.<i>.instruction_reference_params.instruction_identifier',
    reason: 'A new mandate must be a payment instruction of the same payload.',
    breach: ({ payment_preferences: preferences, payment_instructions: instructions }) => {
      if (!preferences) return undefined;
      const known = new Set(instructions?.map((one) => one.instruction_identifier));
      return each(preferences, (preference) => {
        if (preference.type !== 'ACTIVE_NEW') return undefined;
        const { instruction_identifier: identifier } = preference.instruction_reference_params;
        return (
          !known.has(identifier) &&
          `No payment instruction of the payload has the identifier ${quote(identifier)}.`
        );
      });
    },
  }),
  listRule({
    code: 'payment_plan_strategy_does_not_exist',
    lists: { payment_plan_strategies: (name) => `There is no payment plan strategy called ${name}.` },
    reason: 'The strategy must be one that the operator has configured.',
  }),
  rule({
    code: 'duplicate_payment_component_combinations',
    on: 'paymentPlan',
    field: 'payments.<i>.amount_components.<i>.component_type',
    reason: 'A component type may appear only once on a day.',
    breach: ({ payments }) => {
      const firsts = new Map<string, string>();
      return each(payments, ({ payment_date: date, amount_components: parts }, i) =>
        each(parts, ({ component_type: type }, k) => {
          const path = `payments.${i}.amount_components.${k}`;
          const first = firsts.get(keyOf(date, type)) ?? path;
          firsts.set(keyOf(date, type), first);
          return first !== path && `Repeats ${first} of the plan: the same type on the same day.`;
        }),
      );
    },
  }),
  rule({
    code: 'payment_plan_payment_components_do_not_sum_to_total',
    on: 'paymentPlanPayment',
    field: 'total_amount',
    reason: 'The components of a payment must sum to its total.',
    breach: ({ amount_components: parts, total_amount: total }) => {
      if (parts.length === 0) return undefined;
      const sum = parts.reduce((so_far, { amount }) => so_far + BigInt(amount), 0n);
      return sum !== BigInt(total) && `The components sum to ${sum}, not to ${total}.`;
    },
  }),
  rule({
    code: 'payment_plan_and_payment_schedule_not_allowed_on_same_ledger',
    on: 'account',
    field: 'payment_schedules',
    needs: ['instance: main_ledger_code'],
    reason: 'Plan and schedule would both collect. A plan is always on the main ledger.',
    breach: ({ payment_plans: plans, payment_schedules: schedules }, { instance }) => {
      if (!isGiven(plans)) return undefined;
      const onMain = schedules?.some(
        ({ ledger_code: code }) => !isGiven(code) || code === instance.main_ledger_code,
      );
      return onMain && 'The main ledger has a payment plan: leave its payment schedules out.';
    },
  }),
  rule({
    code: 'payment_instruction_details_incomplete',
    on: 'feedInTariff',
    field: 'instruction_reference',
    reason: 'Payment by BACS needs a vendor and a mandate.',
    breach: ({ payment_method: method, vendor_name: vendor, instruction_reference: reference }) =>
      method === 'BACS' &&
      !(isGiven(vendor) && isGiven(reference)) &&
      'Payment by BACS needs vendor_name and instruction_reference.',
  }),
];

/** The first member without a ledger code, if other members have one. */
export function findWithoutLedgerCode<Member extends { readonly ledger_code?: string }>(
  members: readonly Member[] = [],
): Member | undefined {
  const odd = members.find(({ ledger_code: code }) => !isGiven(code));
  return odd && members.some(({ ledger_code: code }) => isGiven(code)) ? odd : undefined;
}
