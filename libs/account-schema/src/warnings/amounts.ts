import type { Report } from '../rules/engine/rule';
import { countWholeDigits } from '../rules/terms/decimal';
import { isGiven } from '../rules/terms/is-given';
import { type Warning, warning } from './warning';

/** Warnings about amounts, rates and the days on which they are due. */
export const AMOUNT_WARNINGS: readonly Warning[] = [
  warning({
    code: 'balance_possibly_in_minor_units',
    path: 'transfer_balance | last_statement_balance | ledgers.<i>.ledger_balance | ledgers.<i>.last_statement_balance',
    reason: 'Balances are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    checks: {
      account(account, { isDomestic }, report) {
        if (!isDomestic) return;
        reportLarge(account.transfer_balance, 'transfer_balance', BALANCE, report);
        reportLarge(account.last_statement_balance, 'last_statement_balance', BALANCE, report);
      },
      ledger(ledger, { isDomestic }, report) {
        if (!isDomestic) return;
        reportLarge(ledger.ledger_balance, 'ledger_balance', BALANCE, report);
        reportLarge(ledger.last_statement_balance, 'last_statement_balance', BALANCE, report);
      },
    },
  }),
  warning({
    code: 'transaction_amount_possibly_in_minor_units',
    path: '<transactions>.<i>.amount',
    reason: 'Amounts are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    checks: {
      transaction({ amount }, { isDomestic }, report) {
        if (isDomestic) reportLarge(amount, 'amount', 'The amount of the transaction', report);
      },
    },
  }),
  warning({
    code: 'payment_amount_possibly_in_minor_units',
    path: 'payment_schedules.<i>.amount',
    reason:
      'Amounts of schedules are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    checks: {
      paymentSchedule({ amount }, { isDomestic }, report) {
        if (isDomestic) reportLarge(amount, 'amount', 'The amount of each payment', report);
      },
    },
  }),
  warning({
    code: 'plan_amount_possibly_in_major_units',
    path: 'payment_plans.<i>.payments.<j>.total_amount',
    reason: 'Amounts of plans are in minor currency units (pence), and payments of less than 100 are rare.',
    mend: 'send minor currency units instead of major ones.',
    checks: {
      paymentPlanPayment({ total_amount: amount }, _facts, report) {
        if (isFraction(amount)) report('total_amount', `The payment is ${amount} minor currency units.`);
      },
    },
  }),
  warning({
    code: 'review_amount_possibly_in_major_units',
    path: 'payment_adequacy_changes.<i>.average_monthly_charge | payment_adequacy_changes.<i>.new_direct_debit',
    reason:
      'Amounts of reviews are in minor currency units (pence), and monthly amounts of less than 100 are rare.',
    mend: 'send all amounts of the review in minor currency units.',
    checks: {
      paymentAdequacyChange(review, _facts, report) {
        for (const field of ['average_monthly_charge', 'new_direct_debit'] as const) {
          if (isFraction(review[field]))
            report(field, `The monthly amount is ${review[field]} minor currency units.`);
        }
      },
    },
  }),
  warning({
    code: 'unit_price_possibly_in_minor_units',
    path: '<transactions>.<i>.line_items.<j>.price_per_unit',
    reason: 'Prices are in major currency units (pounds), and a kilowatt hour costs less than 5.',
    mend: 'send major currency units instead of minor ones.',
    checks: {
      lineItem({ rate_band: band, price_per_unit: price }, _facts, report) {
        if (isGiven(price) && band?.startsWith('CONSUMPTION') === true && Number(price) >= MAX_UNIT_PRICE)
          report('price_per_unit', `A unit of ${band} costs ${price} major currency units.`);
      },
    },
  }),
  warning({
    code: 'negotiated_rate_possibly_in_major_units',
    path: '… .agreements.<k>.bespoke_tariff_rates.<l>.unit_rate | … .bespoke_tariff_rates.<l>.registers.<m>.unit_rate',
    reason: 'Negotiated rates are in pence, and a kilowatt hour costs more than one.',
    mend: 'send pence instead of pounds.',
    checks: {
      agreement({ bespoke_tariff_rates: rates }, _facts, report) {
        for (const [i, rate] of (rates ?? []).entries()) {
          const path = `bespoke_tariff_rates.${i}`;
          if ('unit_rate' in rate) reportSmallRate(rate.unit_rate, `${path}.unit_rate`, report);
          else
            for (const [k, { unit_rate: price }] of rate.registers.entries())
              reportSmallRate(price, `${path}.registers.${k}.unit_rate`, report);
        }
      },
    },
  }),
  warning({
    code: 'tax_rate_possibly_a_percentage',
    path: '<transactions>.<i>.tax_items.<j>.rate',
    reason: 'A PROPORTION of one is the whole value: 5 per cent are 0.05.',
    mend: 'send the proportion instead of the percentage.',
    checks: {
      taxItem({ unit_type: unit, rate }, _facts, report) {
        if (unit === 'PROPORTION' && Number(rate) > 1)
          report('rate', `The tax is ${rate} times the value that is taxed.`);
      },
    },
  }),
  warning({
    code: 'prepay_debt_below_zero',
    path: '… .meters.<k>.prepay_details.debt_balance',
    reason: 'A debt on a prepayment meter is a positive amount.',
    mend: 'send the debt without a sign, and a credit as `credit_balance`.',
    checks: {
      meter({ prepay_details: details }, _facts, report) {
        if (details?.debt_balance.startsWith('-') === true)
          report(
            'prepay_details.debt_balance',
            `The debt on the meter is ${details.debt_balance}, below zero.`,
          );
      },
    },
  }),
  warning({
    code: 'debt_due_in_future',
    path: 'debts.<i>.aged_debt.<j>.due_date',
    needs: ['clock'],
    reason: 'An overdue debt became due in the past.',
    mend: 'send the day on which it became due.',
    checks: {
      debt({ aged_debt: parts }, { today }, report) {
        for (const [i, { due_date: due }] of (parts ?? []).entries()) {
          if (isGiven(due) && due > today)
            report(`aged_debt.${i}.due_date`, `The overdue debt became due on ${due}, which is after today.`);
        }
      },
    },
  }),
  warning({
    code: 'next_bill_due_date_in_past',
    path: 'next_bill_due_date',
    needs: ['clock'],
    reason: 'The next bill is yet to be due.',
    mend: 'send the day on which the next bill is due, or leave it out.',
    checks: {
      account({ next_bill_due_date: due }, { today }, report) {
        if (isGiven(due) && due < today)
          report('next_bill_due_date', `The next bill is due on ${due}, which is before today.`);
      },
    },
  }),
];

const BALANCE = 'The balance';

/** Digits of 10,000. */
const LARGE_AMOUNT_DIGITS = 5;

/** Major currency units. */
const MAX_UNIT_PRICE = 5;

function reportLarge(amount: string | undefined, path: string, subject: string, report: Report): void {
  if (amount !== undefined && countWholeDigits(amount) >= LARGE_AMOUNT_DIGITS)
    report(path, `${subject} is ${amount}, in major currency units.`);
}

/** True for an amount in minor currency units that is less than one major unit. */
function isFraction(amount: number): boolean {
  return amount > 0 && amount < 100;
}

function reportSmallRate(rate: string, path: string, report: Report): void {
  const price = Number(rate);
  if (price > 0 && price < 1) report(path, `The negotiated rate is ${rate} pence.`);
}
