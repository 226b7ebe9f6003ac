import type { PaymentAdequacyChange } from '../contract/payments';
import { customRule, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';

/** Rules about completed payment reviews. Amounts are whole minor currency units. */
export const PAYMENT_REVIEW_RULES: readonly Rule[] = [
  rule({
    code: 'payment_adequacy_changes_and_last_payment_review_date_provided',
    on: 'account',
    field: 'last_payment_review_date',
    reason: 'The list of reviews already contains the date of the last one.',
    breach: ({ payment_adequacy_changes: reviews, last_payment_review_date: last }) =>
      isGiven(reviews) && isGiven(last) && 'Send payment_adequacy_changes or this date, not both.',
  }),
  rule({
    code: 'last_payment_review_date_is_future_dated',
    on: 'account',
    field: 'last_payment_review_date',
    needs: ['clock'],
    reason: 'The last review must have happened already.',
    breach: ({ last_payment_review_date: last }, { today }) =>
      isGiven(last) && last > today && `${last} is after today.`,
  }),
  customRule({
    code: 'payment_adequacy_invalid_dates',
    at: { paymentAdequacyChange: ['applied_at', 'created_at'] },
    needs: ['clock'],
    reason: 'A review is made first and applied later, and both must have happened already.',
    checks: {
      paymentAdequacyChange({ created_at: made, applied_at: applied }, { now }, report) {
        if (made > now) report('created_at', `${made} is in the future.`);
        if (!isGiven(applied)) return;
        if (applied > now) report('applied_at', `${applied} is in the future.`);
        else if (made >= applied)
          report('applied_at', `The review was applied before it was made, at ${made}.`);
      },
    },
  }),
  rule({
    code: 'payment_adequacy_missing_reason',
    on: 'paymentAdequacyChange',
    field: 'should_not_be_applied_reason',
    reason: 'A review was either applied or has a reason why it was not.',
    breach: ({ applied_at: applied, should_not_be_applied_reason: reason }) =>
      !isGiven(applied) &&
      !isGiven(reason) &&
      'Send the day on which the review was applied, or the reason why it was not.',
  }),
  rule({
    code: 'payment_adequacy_should_not_have_been_applied',
    on: 'paymentAdequacyChange',
    field: 'applied_at',
    reason: 'A review with a reason not to be applied cannot have been applied.',
    breach: ({ applied_at: applied, should_not_be_applied_reason: reason }) =>
      isGiven(applied) && isGiven(reason) && 'The review has a reason not to be applied: send null here.',
  }),
  rule({
    code: 'payment_adequacy_monthly_charges_unequal',
    on: 'paymentAdequacyChange',
    field: 'average_monthly_charge',
    reason: 'The monthly charge is the sum of electricity and gas.',
    breach: (review) => {
      const both = review.average_monthly_elec_charge + review.average_monthly_gas_charge;
      return review.average_monthly_charge !== both && `Electricity and gas sum to ${both}.`;
    },
  }),
  rule({
    code: 'payment_adequacy_balance_adjustment_mismatch',
    on: 'paymentAdequacyChange',
    field: 'balance_adjustment',
    reason: 'The adjustment spreads the difference to the target balance over twelve months.',
    breach: ({ balance_adjustment: added, target_balance, current_balance }) => {
      if (added === 0) return undefined;
      const missing = target_balance - current_balance;
      // A tolerance of one minor unit, without division: |added - missing / 12| < 1.
      return (
        Math.abs(added * 12 - missing) >= 12 && `Enter a twelfth of ${missing}, or 0 if that is negligible.`
      );
    },
  }),
  rule({
    code: 'payment_adequacy_new_direct_debit_amount_mismatch',
    on: 'paymentAdequacyChange',
    field: 'new_direct_debit',
    reason: 'The new direct debit lies between the existing payment and the amount due.',
    breach: (review) => {
      const [least, most] = advisedDebitRange(review);
      return (
        (review.new_direct_debit < least || review.new_direct_debit > most) &&
        `Enter an amount from ${least} to ${most}.`
      );
    },
  }),
];

function advisedDebitRange(review: PaymentAdequacyChange): [number, number] {
  const due = review.average_monthly_charge + review.balance_adjustment;
  const paid = review.existing_direct_debit_payment;
  return paid < due ? [paid, due] : [due, paid];
}
