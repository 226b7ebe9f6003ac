import { fieldRule, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';
import { keyOf, repeats } from './terms/repeats';

/** Mandates, which ledger is paid through which, and plans. */
export const PAYMENT_RULES: readonly Rule[] = [
  rule({
    code: 'ledger_code_does_not_exist',
    path: 'ledgers.<i>.ledger_code | payment_instructions.<i>.ledger_code | payment_schedules.<i>.ledger_code | payment_adequacy_changes.<i>.ledger.ledger_code | ledger_code',
    needs: ['reference data: ledger_types'],
    why: 'Money can only go to a type of ledger that there is.',
    checks: {
      ledger({ ledger_code: code }, { references }, report) {
        if (given(code) && references.has('ledger_types', code) === false)
          report('ledger_code', noLedgerType(code));
      },
      paymentInstruction({ ledger_code: code }, { references }, report) {
        if (given(code) && references.has('ledger_types', code) === false)
          report('ledger_code', noLedgerType(code));
      },
      paymentInstructionRequest({ ledger_code: code }, { references }, report) {
        if (given(code) && references.has('ledger_types', code) === false)
          report('ledger_code', noLedgerType(code));
      },
      paymentSchedule({ ledger_code: code }, { references }, report) {
        if (given(code) && references.has('ledger_types', code) === false)
          report('ledger_code', noLedgerType(code));
      },
      paymentAdequacyChange({ ledger }, { references }, report) {
        if (ledger && references.has('ledger_types', ledger.ledger_code) === false)
          report('ledger.ledger_code', noLedgerType(ledger.ledger_code));
      },
    },
  }),
  rule({
    code: 'payment_instructions_ledger_code_uniformity_failed',
    path: 'payment_instructions.<i>.ledger_code',
    why: 'With several mandates, each must say which ledger it pays into.',
    checks: {
      account({ payment_instructions: instructions }, _facts, report) {
        const odd = placeWithoutCode(instructions);
        if (odd !== undefined)
          report(
            `payment_instructions.${odd}.ledger_code`,
            'Other instructions have a ledger code: give one to this one too.',
          );
      },
    },
  }),
  fieldRule({
    code: 'incomplete_payments_not_enabled',
    path: 'payment_instructions.<i>.reference',
    needs: ['instance: allow_incomplete_payment_instructions'],
    answeredAs: 'required',
    why: 'A mandate without a reference cannot be found at its vendor.',
  }),
  rule({
    code: 'mutually_exclusive_field_required',
    path: 'reference',
    why: 'The old and the new name of the reference may differ, and one is needed.',
    checks: {
      paymentInstructionRequest({ reference, instruction_reference: old }, _facts, report) {
        if (given(reference) === given(old))
          report('reference', 'Send either reference or, as it was called before, instruction_reference.');
      },
    },
  }),
  rule({
    code: 'invalid_payment_preference_ledger_identifier',
    path: 'payment_preferences.<i>.ledger_identifier',
    why: 'A preference is for a ledger of the same payload.',
    checks: {
      account({ payment_preferences: preferences, ledgers }, _facts, report) {
        if (!preferences) return;
        const known = new Set(ledgers?.map((ledger) => ledger.ledger_identifier));
        for (const [i, { ledger_identifier: identifier }] of preferences.entries()) {
          if (!known.has(identifier))
            report(
              `payment_preferences.${i}.ledger_identifier`,
              `No ledger of the payload is called ${quote(identifier)}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'duplicate_ledger_in_payment_preferences',
    path: 'payment_preferences.<i>.ledger_identifier',
    why: 'A ledger is paid in one way.',
    checks: {
      account({ payment_preferences: preferences }, _facts, report) {
        for (const i of repeats(preferences, (one) => one.ledger_identifier))
          report(
            `payment_preferences.${i}.ledger_identifier`,
            'There is another preference for this ledger.',
          );
      },
    },
  }),
  rule({
    code: 'active_new_payment_preference_invalid_instruction_identifier',
    path: 'payment_preferences.<i>.instruction_reference_params.instruction_identifier',
    why: 'A new mandate is one of the same payload.',
    checks: {
      account({ payment_preferences: preferences, payment_instructions: instructions }, _facts, report) {
        if (!preferences) return;
        const known = new Set(instructions?.map((one) => one.instruction_identifier));
        for (const [i, preference] of preferences.entries()) {
          if (preference.type !== 'ACTIVE_NEW') continue;
          const { instruction_identifier: identifier } = preference.instruction_reference_params;
          if (!known.has(identifier))
            report(
              `payment_preferences.${i}.instruction_reference_params.instruction_identifier`,
              `No payment instruction of the payload is called ${quote(identifier)}.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'payment_plan_strategy_does_not_exist',
    path: 'payment_plans.<i>.strategy_name',
    needs: ['reference data: payment_plan_strategies'],
    why: 'A plan is run by its strategy.',
    checks: {
      paymentPlan({ strategy_name: name }, { references }, report) {
        if (references.has('payment_plan_strategies', name) === false)
          report('strategy_name', `There is no payment plan strategy called ${quote(name)}.`);
      },
    },
  }),
  rule({
    code: 'duplicate_payment_component_combinations',
    path: 'payment_plans.<i>.payments.<j>.amount_components.<k>.component_type',
    why: 'What is paid for one purpose on one day is one amount.',
    checks: {
      paymentPlan({ payments }, _facts, report) {
        const components = payments.flatMap(({ payment_date: date, amount_components: parts }, payment) =>
          parts.map(({ component_type: type }, i) => ({ key: keyOf(date, type), payment, i })),
        );
        for (const place of repeats(components, ({ key }) => key)) {
          const { payment, i } = components[place] ?? { payment: 0, i: 0 };
          report(
            `payments.${payment}.amount_components.${i}.component_type`,
            'There is another component of this type on the same day.',
          );
        }
      },
    },
  }),
  rule({
    code: 'payment_plan_payment_components_do_not_sum_to_total',
    path: 'payment_plans.<i>.payments.<j>.total_amount',
    why: 'The parts of a payment are all of it.',
    checks: {
      paymentPlanPayment({ amount_components: parts, total_amount: total }, _facts, report) {
        if (parts.length === 0) return;
        const sum = parts.reduce((so_far, { amount }) => so_far + BigInt(amount), 0n);
        if (sum !== BigInt(total)) report('total_amount', `The components sum to ${sum}, not to ${total}.`);
      },
    },
  }),
  rule({
    code: 'payment_plan_and_payment_schedule_not_allowed_on_same_ledger',
    path: 'payment_schedules',
    needs: ['instance: main_ledger_code'],
    why: 'Plan and schedule would both collect. A plan is always on the main ledger.',
    checks: {
      account({ payment_plans: plans, payment_schedules: schedules }, { instance }, report) {
        if (!given(plans)) return;
        const onMain = schedules?.some(
          ({ ledger_code: code }) => !given(code) || code === instance.main_ledger_code,
        );
        if (onMain)
          report('payment_schedules', 'The main ledger has a payment plan, so no schedule can be on it.');
      },
    },
  }),
  rule({
    code: 'payment_instruction_details_incomplete',
    path: 'fit.instruction_reference',
    tier: 'gbr',
    why: 'A bank transfer needs to know where to.',
    checks: {
      feedInTariff(
        { payment_method: method, vendor_name: vendor, instruction_reference: reference },
        _f,
        report,
      ) {
        if (method === 'BACS' && !(given(vendor) && given(reference)))
          report('instruction_reference', 'Payment by BACS needs vendor_name and instruction_reference.');
      },
    },
  }),
];

function noLedgerType(code: string): string {
  return `There is no type of ledger ${quote(code)}.`;
}

/** Where some members have a ledger code: the place of the first that has none. */
export function placeWithoutCode(
  members: readonly { readonly ledger_code?: string }[] | undefined,
): number | undefined {
  if (!members?.some(({ ledger_code: code }) => given(code))) return undefined;
  const place = members.findIndex(({ ledger_code: code }) => !given(code));
  return place < 0 ? undefined : place;
}
