import { isGiven } from '../rules/terms/is-given';
import { billedToOfPoint } from '../rules/terms/last-billed-to-date';
import { countWholeDigits } from '../rules/terms/decimal';
import { quote } from '../rules/terms/quote';
import { isBillable } from '../rules/terms/supply';
import type { Report } from '../rules/engine/rule';
import { type Warning, warning, customWarning } from './warning';

const lines = <Name extends string>(name: Name) =>
  [`${name}1`, `${name}2`, `${name}3`, `${name}4`, `${name}5`] as const;
const BILLING_LINES = lines('billing_address');
const SUPPLY_LINES = lines('supply_address');

/** Warnings about the sale, addresses, agreements and consumption of an account. */
export const SUPPLY_WARNINGS: readonly Warning[] = [
  warning({
    code: 'date_of_sale_in_future',
    on: 'account',
    field: 'date_of_sale',
    needs: ['clock'],
    reason: 'An account that is imported was sold already.',
    mend: 'send the day on which the customer signed up.',
    breach: ({ date_of_sale: sold }, { today }) =>
      isGiven(sold) && sold > today && `The customer signed up on ${sold}, which is after today.`,
  }),
  warning({
    code: 'last_billed_to_date_in_future',
    on: ['account', 'meterPoint'],
    field: 'last_billed_to_date',
    needs: ['clock'],
    reason: 'Consumption up to tomorrow at most can have been billed.',
    mend: 'send the first day that the old system has not billed.',
    breach: ({ last_billed_to_date: day }, { today }) =>
      isGiven(day) && day > today && `Billing continues from ${day}, which is after today.`,
  }),
  warning({
    code: 'agreement_ends_before_billing_begins',
    on: 'meterPoint',
    field: 'agreements.<i>.effective_to',
    reason: 'No agreement sets the price of the first day that is billed here.',
    mend: 'send the end of the agreement, null if it is open-ended, or the agreement that follows it.',
    breach: (point, { account }) => {
      const day = billedToOfPoint(point, account);
      if (!isGiven(point.agreements) || day === undefined || !isBillable(point, day)) return undefined;
      // An open end sorts after every day.
      const ends = point.agreements.map((one) => one.effective_to ?? '~');
      const last = ends.reduce((a, b) => (b > a ? b : a));
      const detail = `The last agreement ends on ${last}, but billing continues from ${day}.`;
      return last <= day && [{ indexes: [ends.indexOf(last)], detail }];
    },
  }),
  warning({
    code: 'agreement_ends_on_its_first_day',
    on: 'agreement',
    field: 'effective_to',
    reason: 'The end is exclusive, so such an agreement covers no day.',
    mend: 'send the day after its last day, or leave the agreement out.',
    breach: ({ effective_from: from, effective_to: to }) =>
      to === from && `The agreement begins and ends on ${from}, so that it covers no day.`,
  }),
  warning({
    code: 'move_in_in_future',
    on: 'supplyAddress',
    field: 'customer_at_supply_address_from_date',
    needs: ['clock'],
    reason: 'Customers who are imported are supplied already.',
    mend: 'send the first day on which the customer was supplied here.',
    breach: ({ customer_at_supply_address_from_date: from }, { today }) =>
      from > today && `The customer is supplied from ${from}, which is after today.`,
  }),
  warning({
    code: 'move_out_before_move_in',
    on: 'supplyAddress',
    field: 'customer_at_supply_address_to_date',
    reason: 'A customer leaves after having moved in.',
    mend: 'correct the two dates.',
    breach: (address) => {
      const from = address.customer_at_supply_address_from_date;
      const to = address.customer_at_supply_address_to_date;
      return isGiven(to) && to < from && `The customer left on ${to}, before moving in on ${from}.`;
    },
  }),
  customWarning({
    code: 'address_line_repeated',
    at: { account: BILLING_LINES, supplyAddress: SUPPLY_LINES },
    reason: 'Letters would show the line twice.',
    mend: 'send each line of the address once.',
    checks: {
      account(account, _facts, report) {
        reportRepeatedLine(account, BILLING_LINES, report);
      },
      supplyAddress(address, _facts, report) {
        reportRepeatedLine(address, SUPPLY_LINES, report);
      },
    },
  }),
  warning({
    code: 'building_number_without_digits',
    on: 'address',
    field: 'structured_street_address.building_number',
    reason: 'The `building_number` has digits. Names of buildings have a field of their own.',
    mend: 'send the name as `building_name`.',
    breach: ({ structured_street_address: street }) => {
      const number = street?.['building_number'];
      return (
        typeof number === 'string' &&
        number !== '' &&
        !/\d/.test(number) &&
        `The number of the building is ${quote(number)}, without a digit.`
      );
    },
  }),
  customWarning({
    code: 'annual_consumption_beyond_a_household',
    at: {
      electricityMeterPoint: ['eac_history.<i>.consumption'],
      gasMeterPoint: ['aq_history.<i>.consumption'],
    },
    reason: 'Households use less than 100,000 kWh a year. Watt hours and sums of years are more.',
    mend: 'send kilowatt hours of one year.',
    checks: {
      electricityMeterPoint({ eac_history: entries }, { isDomestic }, report) {
        if (isDomestic) reportConsumption(entries, 'eac_history', report);
      },
      gasMeterPoint({ aq_history: entries }, { isDomestic }, report) {
        if (isDomestic) reportConsumption(entries, 'aq_history', report);
      },
    },
  }),
];

/** Reports the first line that an earlier one has as well. */
function reportRepeatedLine<Line extends string>(
  address: { readonly [Name in Line]?: string },
  names: readonly Line[],
  report: Report,
): void {
  const seen: string[] = [];
  for (const name of names) {
    const line = address[name];
    if (!isGiven(line)) continue;
    if (seen.includes(line)) {
      report(name, `The line ${quote(line)} is in the address twice.`);
      return;
    }
    seen.push(line);
  }
}

/** Digits of 100,000 kWh. */
const CONSUMPTION_DIGITS = 6;

function reportConsumption(
  entries: readonly { readonly consumption: string }[] | undefined,
  list: string,
  report: Report,
): void {
  for (const [i, { consumption }] of (entries ?? []).entries()) {
    if (countWholeDigits(consumption) >= CONSUMPTION_DIGITS)
      report(`${list}.${i}.consumption`, `The consumption of a year is ${consumption} kWh.`);
  }
}
