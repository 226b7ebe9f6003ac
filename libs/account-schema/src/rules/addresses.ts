import { type Account } from '../account/account';
import { type Address } from '../account/address';
import { readPostcode } from '../formats/postcode';
import { fieldRule, type Report, rule, type Rule } from './engine/rule';
import { isCountry, unknownStreetPart } from './terms/country';
import { given } from './terms/given';
import { quote } from './terms/quote';

/** Where bills go, in either of two styles. */
export const ADDRESS_RULES: readonly Rule[] = [
  rule({
    code: 'billing_address_new_style_and_legacy',
    path: 'billing_address',
    why: 'Two billing addresses may differ, and a bill goes to one.',
    checks: {
      account(account, _facts, report) {
        if (account.billing_address && hasNumberedLines(account))
          report(
            'billing_address',
            'Send billing_address or the numbered lines with billing_postcode, not both.',
          );
      },
    },
  }),
  rule({
    code: 'billing_address_not_provided',
    path: 'billing_address1 | billing_postcode',
    tier: 'gbr',
    completeness: true,
    why: 'Bills must be able to reach somebody.',
    checks: {
      account(account, { isOccupier }, report) {
        if (isOccupier || account.billing_address) return;
        const blank = BILLING_NEEDS.find((field) => !given(account[field]));
        if (blank) report(blank, 'Send a billing address: its first line and its postcode at least.');
      },
    },
  }),
  rule({
    code: 'invalid_address',
    path: 'billing_address1 | billing_address.street_address | supply_addresses.<i>.supply_address1',
    why: "An address that does not fit its country's format is no address.",
    checks: {
      account(account, _facts, report) {
        if (!given(account.billing_address1) && hasNumberedLines(account))
          report('billing_address1', 'The billing address has other lines, so it needs a first one.');
      },
      address(address, _facts, report) {
        reportBadFormat(address, report);
      },
    },
  }),
  rule({
    code: 'invalid_postcode',
    path: 'billing_address.postal_code | billing_postcode | supply_addresses.<i>.supply_postcode | fit.installations.<i>.address.postcode',
    why: 'A postcode that its country cannot have leads nowhere. The last three are checked as they are read.',
    checks: {
      address({ country, postal_code: code }, _facts, report) {
        if (given(code) && readPostcode(code, country) === undefined)
          report('postal_code', `${quote(code)} is not a postcode of the country ${quote(country)}.`);
      },
    },
  }),
  fieldRule({
    code: 'invalid_delivery_point_identifier',
    path: 'billing_delivery_point_identifier | billing_address.delivery_point_identifier | supply_addresses.<i>.supply_delivery_point_identifier',
    why: 'Identifiers of the national register are capitals and digits.',
  }),
  rule({
    code: 'billing_email_not_valid',
    path: 'billing_email',
    why: 'Old systems park accounts without an address on one that swallows everything.',
    checks: {
      account({ billing_email: email }, _facts, report) {
        if (email?.includes('blackhole+'))
          report(
            'billing_email',
            'Bills to this address are thrown away. Leave it out if there is no other.',
          );
      },
    },
  }),
];

const BILLING_NEEDS = ['billing_address1', 'billing_postcode'] as const;

const NUMBERED = [
  'billing_address1',
  'billing_address2',
  'billing_address3',
  'billing_address4',
  'billing_address5',
  'billing_postcode',
] as const satisfies readonly (keyof Account)[];

function hasNumberedLines(account: Account): boolean {
  return NUMBERED.some((field) => given(account[field]));
}

/** Whatever of an address does not fit is reported at its street, where people look for what is wrong with it. */
function reportBadFormat(address: Address, report: Report): void {
  const { country, street_address: street, structured_street_address: structured } = address;
  if (!isCountry(country)) {
    report('street_address', `${quote(country)} is not a two-letter country code of ISO 3166-1.`);
    return;
  }
  if (given(street) === given(structured)) {
    report('street_address', 'Send either street_address or structured_street_address.');
    return;
  }
  const part = structured && unknownStreetPart(country, structured);
  if (part !== undefined && part !== null)
    report('street_address', `Street addresses of ${country} have no part ${quote(part)}.`);
}
