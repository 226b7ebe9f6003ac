import type { Account } from '../contract/account';
import type { Address } from '../contract/account-details';
import { readPostcode } from '../formats/formats';
import { customRule, fieldRule, type Report, rule, type Rule } from './engine/rule';
import { isCountry, unknownStreetPart } from './terms/country';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about the billing address, which is either structured or given as numbered lines. */
export const ADDRESS_RULES: readonly Rule[] = [
  rule({
    code: 'billing_address_new_style_and_legacy',
    on: 'account',
    field: 'billing_address',
    reason: 'The structured address and the numbered lines could contradict each other.',
    breach: (account) =>
      account.billing_address &&
      hasNumberedLines(account) &&
      'Send billing_address or the numbered lines with billing_postcode, not both.',
  }),
  customRule({
    code: 'billing_address_not_provided',
    at: { account: ['billing_address1', 'billing_postcode'] },
    tier: 'gbr',
    completeness: true,
    reason: 'Bills need an address.',
    checks: {
      account(account, { isOccupier }, report) {
        if (isOccupier || account.billing_address) return;
        const blank = REQUIRED_BILLING_FIELDS.find((field) => !isGiven(account[field]));
        if (blank) report(blank, 'Send a billing address with at least its first line and postcode.');
      },
    },
  }),
  customRule({
    code: 'invalid_address',
    at: { account: ['billing_address1'], address: ['country', 'street_address'] },
    reason: 'An address must fit the format of its country.',
    checks: {
      account(account, _facts, report) {
        if (!isGiven(account.billing_address1) && hasNumberedLines(account))
          report('billing_address1', 'Send the first line of the billing address: it has other lines.');
      },
      address(address, _facts, report) {
        reportBadFormat(address, report);
      },
    },
  }),
  customRule({
    code: 'invalid_postcode',
    at: {
      address: ['postal_code'],
      account: ['billing_postcode'],
      supplyAddress: ['supply_postcode'],
      feedInTariff: ['installations.<i>.address.postcode'],
    },
    reason: 'A postcode must fit the format of its country. The last three are checked as the field is read.',
    checks: {
      address({ country, postal_code: code }, _facts, report) {
        if (isGiven(code) && readPostcode(code, country) === undefined)
          report('postal_code', `${quote(code)} is not a valid postcode in ${quote(country)}.`);
      },
    },
  }),
  fieldRule({
    code: 'invalid_delivery_point_identifier',
    at: {
      account: ['billing_delivery_point_identifier'],
      address: ['delivery_point_identifier'],
      supplyAddress: ['supply_delivery_point_identifier'],
    },
    reason: 'Identifiers of the national register consist of capital letters and digits.',
  }),
  rule({
    code: 'billing_email_not_valid',
    on: 'account',
    field: 'billing_email',
    reason: 'Some old systems store a placeholder address that discards all messages.',
    breach: ({ billing_email: email }) =>
      email?.includes('blackhole+') &&
      'Messages to this address are discarded. Send another address or leave the field out.',
  }),
];

const REQUIRED_BILLING_FIELDS = ['billing_address1', 'billing_postcode'] as const;

const NUMBERED_LINES = [
  'billing_address1',
  'billing_address2',
  'billing_address3',
  'billing_address4',
  'billing_address5',
  'billing_postcode',
] as const satisfies readonly (keyof Account)[];

function hasNumberedLines(account: Account): boolean {
  return NUMBERED_LINES.some((field) => isGiven(account[field]));
}

/** Reports an unknown country at the country, and all other format errors at the street. */
function reportBadFormat(address: Address, report: Report): void {
  const { country, street_address: street, structured_street_address: structured } = address;
  if (!isCountry(country)) {
    report('country', `${quote(country)} is not a two-letter country code of ISO 3166-1.`);
    return;
  }
  if (isGiven(street) === isGiven(structured)) {
    report('street_address', 'Send either street_address or structured_street_address.');
    return;
  }
  const part = structured && unknownStreetPart(country, structured);
  if (part !== undefined && part !== null)
    report('street_address', `Street addresses in ${country} have no part ${quote(part)}.`);
}
