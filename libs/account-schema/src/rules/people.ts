import type { Account } from '../contract/account';
import type { BusinessUser } from '../contract/business';
import type { Customer, Person } from '../contract/customer';
import { customRule, each, fieldRule, rule, type Rule, valueRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { isNamedTheOccupier } from './terms/occupier';
import { quote } from './terms/quote';

const CONTACT_FIELDS = [
  'email',
  'mobile',
  'landline',
  'contact_emails',
  'alternative_phone_numbers',
] as const;

/** Rules about customers and business users. */
export const PEOPLE_RULES: readonly Rule[] = [
  rule({
    code: 'customer_family_name_required',
    on: 'account',
    field: 'customers.<i>.family_name',
    completeness: true,
    reason: 'Letters for a domestic account are addressed by family name.',
    breach: ({ customers }, { isDomestic }) =>
      isDomestic &&
      each(
        customers,
        (one) => !isGiven(one.family_name) && 'Each customer of a domestic account needs a family name.',
      ),
  }),
  rule({
    code: 'customer_given_name_required',
    on: 'account',
    field: 'customers.<i>.given_name',
    completeness: true,
    needs: ['supplier: send_registration_flows'],
    reason: "Registration messages of the market contain the given name of a business's contact.",
    breach: ({ customers }, { isBusiness, supplier }) =>
      isBusiness &&
      supplier.send_registration_flows &&
      each(
        customers,
        (one) => !isGiven(one.given_name) && 'Registering a business needs the given name of each customer.',
      ),
  }),
  rule({
    code: 'customer_may_not_be_named_the_occupier',
    on: 'person',
    field: 'family_name',
    reason: 'An account without a known person sets `unknown_occupier` instead of using a placeholder name.',
    breach: (person) =>
      isNamedTheOccupier(person) &&
      'Leave the person out and set unknown_occupier instead of naming The Occupier.',
  }),
  customRule({
    code: 'contact_details_for_occupier',
    at: { person: CONTACT_FIELDS },
    reason: 'Contact details of a placeholder could belong to an unrelated person.',
    checks: {
      person(person, _facts, report) {
        if (!isNamedTheOccupier(person)) return;
        const contact = CONTACT_FIELDS.find((field) => isGiven(person[field]));
        if (contact) report(contact, 'A person named The Occupier has no contact details: leave them out.');
      },
    },
  }),
  valueRule({
    code: 'possible_test_email_address',
    at: { person: ['email'], complaint: ['complainant_email'] },
    reason: 'Messages to a leftover test address bounce or reach a stranger.',
    breach: (email) => isTestAddress(email) && `${quote(email)} looks like an address used for tests.`,
  }),
  valueRule({
    code: 'internal_email_address',
    at: { account: ['billing_email'], person: ['email'] },
    needs: ['reference data: internal_email_addresses'],
    reason: "Messages for the customer would reach the operator's own staff.",
    breach: (email, { references }) =>
      references.has('internal_email_addresses', email.toLowerCase()) &&
      `${quote(email)} is an address of the operator, not of the customer.`,
  }),
  fieldRule({
    code: 'invalid_phone_number',
    at: { person: ['landline', 'mobile', 'alternative_phone_numbers.<i>.phone_number'] },
    reason: 'The number must exist in the numbering plan of its country.',
  }),
  rule({
    code: 'fields_are_mutually_exclusive',
    on: 'customer',
    field: 'consents',
    reason: 'The list `consents` replaces `customer_preferences`, and the two could contradict each other.',
    breach: (customer) =>
      isGiven(customer.customer_preferences) &&
      isGiven(customer.consents) &&
      'Send consents or customer_preferences, not both.',
  }),
  rule({
    code: 'required_user_role',
    on: 'customer',
    field: 'portfolio_roles',
    completeness: true,
    needs: ['instance: default_customer_role'],
    reason: 'A customer without a role has no permissions on the account.',
    breach: (customer, { instance }) => {
      const hasRole =
        isGiven(customer.portfolio_roles) || isGiven(customer.account_roles) || isGiven(customer.role);
      return (
        !hasRole && !isGiven(instance.default_customer_role) && 'Send a role: no default role is configured.'
      );
    },
  }),
  customRule({
    code: 'customer_details_and_user_details_both_provided',
    at: { person: ['details'], account: ['business.users.<i>'] },
    reason: 'The same fact sent twice, or in two records of one person, could be contradictory.',
    checks: {
      person(person, _facts, report) {
        if (isGiven(person.details) && isGiven(person.user_details))
          report('details', 'Send user_details or details, not both.');
      },
      account(account, _facts, report) {
        for (const [i, field] of findConflictingUsers(account))
          report(
            `business.users.${i}`,
            `A customer with the same e-mail address has a different ${field}. Send the same value for both.`,
          );
      },
    },
  }),
];

function isTestAddress(email: string): boolean {
  const address = email.toLowerCase();
  return (
    TEST_ADDRESS_ENDINGS.some((ending) => address.endsWith(ending)) ||
    TEST_ADDRESS_PREFIXES.some((beginning) => address.startsWith(beginning))
  );
}

const TEST_ADDRESS_ENDINGS = ['.xx', '.xxx', '@test.co.uk', '@test.com'];
const TEST_ADDRESS_PREFIXES = ['xxx@', 'test@'];

const BASIC_FIELDS = [
  'title',
  'given_name',
  'family_name',
  'date_of_birth',
  'mobile',
  'landline',
] as const satisfies readonly (keyof Person)[];

/**
 * The indexes of business users who differ from the customer with the same e-mail address, with the first field that
 * differs.
 */
function findConflictingUsers({ business, customers }: Account): [number, string][] {
  if (!business?.users || !customers) return [];
  const byEmail = new Map(
    customers.flatMap((one) => (isGiven(one.email) ? [[one.email.toLowerCase(), one]] : [])),
  );
  return [...business.users.entries()].flatMap(([i, user]): [number, string][] => {
    const customer = isGiven(user.email) ? byEmail.get(user.email.toLowerCase()) : undefined;
    const field = customer && BASIC_FIELDS.find((basic) => isDifferent(user, customer, basic));
    return field ? [[i, field]] : [];
  });
}

function isDifferent(user: BusinessUser, customer: Customer, field: (typeof BASIC_FIELDS)[number]): boolean {
  const [one, other] = [user[field], customer[field]];
  return isGiven(one) && isGiven(other) && one !== other;
}
