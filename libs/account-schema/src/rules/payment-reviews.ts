import { type PaymentAdequacyChange } from '../payment/payment-adequacy-change';
import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';

/** Finished reviews of whether the payments suffice. Amounts are whole minor units. */
export const PAYMENT_REVIEW_RULES: readonly Rule[] = [
  rule({
    code: 'payment_adequacy_changes_and_last_payment_review_date_provided',
    path: 'last_payment_review_date',
    why: 'The reviews say themselves when the last one was.',
    checks: {
      account({ payment_adequacy_changes: reviews, last_payment_review_date: last }, _facts, report) {
        if (given(reviews) && given(last))
          report('last_payment_review_date', 'Send payment_adequacy_changes or this date, not both.');
      },
    },
  }),
  rule({
    code: 'last_payment_review_date_is_future_dated',
    path: 'last_payment_review_date',
    needs: ['clock'],
    why: 'A review that has been made was not made tomorrow.',
    checks: {
      account({ last_payment_review_date: last }, { today }, report) {
        if (given(last) && last > today) report('last_payment_review_date', `${last} is after today.`);
      },
    },
  }),
  rule({
    code: 'payment_adequacy_invalid_dates',
    path: 'payment_adequacy_changes.<i>.applied_at | payment_adequacy_changes.<i>.created_at',
    needs: ['clock'],
    why: 'A review is made, then applied, and both are over.',
    checks: {
      paymentAdequacyChange({ created_at: made, applied_at: applied }, { now }, report) {
        if (made > now) report('created_at', `${made} is in the future.`);
        if (!given(applied)) return;
        if (applied > now) report('applied_at', `${applied} is in the future.`);
        else if (made >= applied)
          report('applied_at', `The review was applied before it was made, at ${made}.`);
      },
    },
  }),
  rule({
    code: 'payment_adequacy_missing_reason',
    path: 'payment_adequacy_changes.<i>.should_not_be_applied_reason',
    why: 'A review has been applied, or there is a reason why not.',
    checks: {
      paymentAdequacyChange({ applied_at: applied, should_not_be_applied_reason: reason }, _facts, report) {
        if (!given(applied) && !given(reason))
          report('should_not_be_applied_reason', 'Say when the review was applied, or why it was not.');
      },
    },
  }),
  rule({
    code: 'payment_adequacy_should_not_have_been_applied',
    path: 'payment_adequacy_changes.<i>.applied_at',
    why: 'What there was a reason against was not done.',
    checks: {
      paymentAdequacyChange({ applied_at: applied, should_not_be_applied_reason: reason }, _facts, report) {
        if (given(applied) && given(reason))
          report('applied_at', 'The review has a reason not to be applied, so it was not applied.');
      },
    },
  }),
  rule({
    code: 'payment_adequacy_monthly_charges_unequal',
    path: 'payment_adequacy_changes.<i>.average_monthly_charge',
    why: 'The charge is that of both fuels together.',
    checks: {
      paymentAdequacyChange(review, _facts, report) {
        const both = review.average_monthly_elec_charge + review.average_monthly_gas_charge;
        if (review.average_monthly_charge !== both)
          report('average_monthly_charge', `Electricity and gas sum to ${both}.`);
      },
    },
  }),
  rule({
    code: 'payment_adequacy_balance_adjustment_mismatch',
    path: 'payment_adequacy_changes.<i>.balance_adjustment',
    why: 'A twelfth of the way to the wanted balance is added each month.',
    checks: {
      paymentAdequacyChange({ balance_adjustment: added, target_balance, current_balance }, _facts, report) {
        if (added === 0) return;
        const missing = target_balance - current_balance;
        // Within one minor unit, without dividing: |added - missing / 12| < 1.
        if (Math.abs(added * 12 - missing) >= 12)
          report(
            'balance_adjustment',
            `A twelfth of ${missing} is expected, or 0 if it is too little to matter.`,
          );
      },
    },
  }),
  rule({
    code: 'payment_adequacy_new_direct_debit_amount_mismatch',
    path: 'payment_adequacy_changes.<i>.new_direct_debit',
    why: 'The advice lies between what was paid and what is due.',
    checks: {
      paymentAdequacyChange(review, _facts, report) {
        const [least, most] = adviceRange(review);
        if (review.new_direct_debit < least || review.new_direct_debit > most)
          report('new_direct_debit', `Enter an amount from ${least} to ${most}.`);
      },
    },
  }),
];

function adviceRange(review: PaymentAdequacyChange): [number, number] {
  const due = review.average_monthly_charge + review.balance_adjustment;
  const paid = review.existing_direct_debit_payment;
  return paid < due ? [paid, due] : [due, paid];
}
