import { each, type Report } from '../rules/engine/rule';
import { countWholeDigits } from '../rules/terms/decimal';
import { isGiven } from '../rules/terms/is-given';
import { type Warning, customWarning, valueWarning, warning } from './warning';

/** Warnings about amounts, rates and the days on which they are due. */
export const AMOUNT_WARNINGS: readonly Warning[] = [
  valueWarning({
    code: 'balance_possibly_in_minor_units',
    at: {
      account: ['transfer_balance', 'last_statement_balance'],
      ledger: ['ledger_balance', 'last_statement_balance'],
    },
    reason: 'Balances are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    breach: (amount, { isDomestic }) =>
      isDomestic && isLarge(amount) && `The balance is ${amount}, in major currency units.`,
  }),
  warning({
    code: 'transaction_amount_possibly_in_minor_units',
    on: 'transaction',
    field: 'amount',
    reason: 'Amounts are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    breach: ({ amount }, { isDomestic }) =>
      isDomestic && isLarge(amount) && `The amount of the transaction is ${amount}, in major currency units.`,
  }),
  warning({
    code: 'payment_amount_possibly_in_minor_units',
    on: 'paymentSchedule',
    field: 'amount',
    reason:
      'Amounts of schedules are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    breach: ({ amount }, { isDomestic }) =>
      isDomestic && isLarge(amount) && `The amount of each payment is ${amount}, in major currency units.`,
  }),
  warning({
    code: 'plan_amount_possibly_in_major_units',
    on: 'paymentPlanPayment',
    field: 'total_amount',
    reason: 'Amounts of plans are in minor currency units (pence), and payments of less than 100 are rare.',
    mend: 'send minor currency units instead of major ones.',
    breach: ({ total_amount: amount }) =>
      isFraction(amount) && `The payment is ${amount} minor currency units.`,
  }),
  valueWarning({
    code: 'review_amount_possibly_in_major_units',
    at: { paymentAdequacyChange: ['average_monthly_charge', 'new_direct_debit'] },
    reason:
      'Amounts of reviews are in minor currency units (pence), and monthly amounts of less than 100 are rare.',
    mend: 'send all amounts of the review in minor currency units.',
    breach: (amount) => isFraction(amount) && `The monthly amount is ${amount} minor currency units.`,
  }),
  warning({
    code: 'unit_price_possibly_in_minor_units',
    on: 'lineItem',
    field: 'price_per_unit',
    reason: 'Prices are in major currency units (pounds), and a kilowatt hour costs less than 5.',
    mend: 'send major currency units instead of minor ones.',
    breach: ({ rate_band: band, price_per_unit: price }) =>
      isGiven(price) &&
      band?.startsWith('CONSUMPTION') === true &&
      Number(price) >= MAX_UNIT_PRICE &&
      `A unit of ${band} costs ${price} major currency units.`,
  }),
  customWarning({
    code: 'negotiated_rate_possibly_in_major_units',
    at: {
      agreement: ['bespoke_tariff_rates.<i>.unit_rate', 'bespoke_tariff_rates.<i>.registers.<i>.unit_rate'],
    },
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
    on: 'taxItem',
    field: 'rate',
    reason: 'A PROPORTION of one is the whole value: 5 per cent are 0.05.',
    mend: 'send the proportion instead of the percentage.',
    breach: ({ unit_type: unit, rate }) =>
      unit === 'PROPORTION' && Number(rate) > 1 && `The tax is ${rate} times the value that is taxed.`,
  }),
  warning({
    code: 'prepay_debt_below_zero',
    on: 'meter',
    field: 'prepay_details.debt_balance',
    reason: 'A debt on a prepayment meter is a positive amount.',
    mend: 'send the debt without a sign, and a credit as `credit_balance`.',
    breach: ({ prepay_details: details }) =>
      details?.debt_balance.startsWith('-') === true &&
      `The debt on the meter is ${details.debt_balance}, below zero.`,
  }),
  warning({
    code: 'debt_due_in_future',
    on: 'debt',
    field: 'aged_debt.<i>.due_date',
    needs: ['clock'],
    reason: 'An overdue debt became due in the past.',
    mend: 'send the day on which it became due.',
    breach: ({ aged_debt: debts }, { today }) =>
      each(
        debts,
        ({ due_date: due }) =>
          isGiven(due) && due > today && `The overdue debt became due on ${due}, which is after today.`,
      ),
  }),
  warning({
    code: 'next_bill_due_date_in_past',
    on: 'account',
    field: 'next_bill_due_date',
    needs: ['clock'],
    reason: 'The next bill is yet to be due.',
    mend: 'send the day on which the next bill is due, or leave it out.',
    breach: ({ next_bill_due_date: due }, { today }) =>
      isGiven(due) && due < today && `The next bill is due on ${due}, which is before today.`,
  }),
];

/** Digits of 10,000. */
const LARGE_AMOUNT_DIGITS = 5;

/** Major currency units. */
const MAX_UNIT_PRICE = 5;

function isLarge(amount: string | undefined): boolean {
  return amount !== undefined && countWholeDigits(amount) >= LARGE_AMOUNT_DIGITS;
}

/** True for an amount in minor currency units that is less than one major unit. */
function isFraction(amount: number): boolean {
  return amount > 0 && amount < 100;
}

function reportSmallRate(rate: string, path: string, report: Report): void {
  const price = Number(rate);
  if (price > 0 && price < 1) report(path, `The negotiated rate is ${rate} pence.`);
}
