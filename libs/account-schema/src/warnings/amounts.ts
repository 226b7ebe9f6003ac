import { each, type Report } from '../rules/engine/rule';
import { countWholeDigits } from '../rules/terms/decimal';
import { isGiven } from '../rules/terms/is-given';
import { type Warning, customWarning, warning } from './warning';

/** Warnings about amounts, rates and the days on which they are due. */
export const AMOUNT_WARNINGS: readonly Warning[] = [
  customWarning({
    code: 'balance_possibly_in_minor_units',
    at: [
      'transfer_balance',
      'last_statement_balance',
      'ledgers.<i>.ledger_balance',
      'ledgers.<i>.last_statement_balance',
    ],
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
  customWarning({
    code: 'transaction_amount_possibly_in_minor_units',
    at: ['<transactions>.<i>.amount'],
    reason: 'Amounts are in major currency units (pounds). Those of households are below 10,000.',
    mend: 'send major currency units instead of minor ones.',
    checks: {
      transaction({ amount }, { isDomestic }, report) {
        if (isDomestic) reportLarge(amount, 'amount', 'The amount of the transaction', report);
      },
    },
  }),
  customWarning({
    code: 'payment_amount_possibly_in_minor_units',
    at: ['payment_schedules.<i>.amount'],
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
    on: 'paymentPlanPayment',
    field: 'total_amount',
    reason: 'Amounts of plans are in minor currency units (pence), and payments of less than 100 are rare.',
    mend: 'send minor currency units instead of major ones.',
    breach: ({ total_amount: amount }) =>
      isFraction(amount) && `The payment is ${amount} minor currency units.`,
  }),
  customWarning({
    code: 'review_amount_possibly_in_major_units',
    at: [
      'payment_adequacy_changes.<i>.average_monthly_charge',
      'payment_adequacy_changes.<i>.new_direct_debit',
    ],
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
      agreement: ['bespoke_tariff_rates.<i>.unit_rate', 'bespoke_tariff_rates.<i>.registers.<j>.unit_rate'],
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
  customWarning({
    code: 'prepay_debt_below_zero',
    at: ['supply_addresses.<i>.meter_points.<j>.meters.<k>.prepay_details.debt_balance'],
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
