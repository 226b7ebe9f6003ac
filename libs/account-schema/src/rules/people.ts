import { type Account } from '../account/account';
import { type BusinessUser } from '../business/business-user';
import { type Customer } from '../customer/customer';
import { type Person } from '../customer/person';
import { fieldRule, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { isNamedTheOccupier } from './terms/occupier';
import { quote } from './terms/quote';

/** Customers, and those who act for a business. */
export const PEOPLE_RULES: readonly Rule[] = [
  rule({
    code: 'customer_family_name_required',
    path: 'customers.<i>.family_name',
    completeness: true,
    why: 'Letters of a domestic account are addressed by family name.',
    checks: {
      account(account, { isDomestic }, report) {
        if (!isDomestic) return;
        for (const [i, customer] of (account.customers ?? []).entries()) {
          if (!given(customer.family_name))
            report(`customers.${i}.family_name`, 'Each customer of a domestic account needs a family name.');
        }
      },
    },
  }),
  rule({
    code: 'customer_given_name_required',
    path: 'customers.<i>.given_name',
    completeness: true,
    needs: ['supplier: send_registration_flows'],
    why: "The market's registration messages carry the given name of a business's contact.",
    checks: {
      account(account, { isBusiness, supplier }, report) {
        if (!isBusiness || !supplier.send_registration_flows) return;
        for (const [i, customer] of (account.customers ?? []).entries()) {
          if (!given(customer.given_name))
            report(
              `customers.${i}.given_name`,
              'Registering a business needs the given name of each customer.',
            );
        }
      },
    },
  }),
  rule({
    code: 'customer_may_not_be_named_the_occupier',
    path: 'customers.<i>.family_name | business.users.<i>.family_name',
    why: 'A placeholder is not a person: accounts without a known person say unknown_occupier.',
    checks: {
      person(person, _facts, report) {
        if (isNamedTheOccupier(person))
          report(
            'family_name',
            'Leave the person out and set unknown_occupier instead of naming The Occupier.',
          );
      },
    },
  }),
  rule({
    code: 'contact_details_for_occupier',
    path: 'customers.<i>.email | business.users.<i>.email',
    why: 'Contact details of nobody in particular would reach somebody in particular.',
    checks: {
      person(person, _facts, report) {
        if (!isNamedTheOccupier(person)) return;
        const contact = CONTACTS.find((field) => given(person[field]));
        if (contact) report(contact, 'A person who is only called The Occupier has no contact details.');
      },
    },
  }),
  rule({
    code: 'possible_test_email_address',
    path: 'customers.<i>.email | business.users.<i>.email | complaints.<i>.complainant_email',
    why: 'Test addresses left over in an old system would bounce, or reach a stranger.',
    checks: {
      person({ email }, _facts, report) {
        if (given(email) && isTestAddress(email)) report('email', testAddressDetail(email));
      },
      complaint({ complainant_email: email }, _facts, report) {
        if (isTestAddress(email)) report('complainant_email', testAddressDetail(email));
      },
    },
  }),
  rule({
    code: 'internal_email_address',
    path: 'billing_email | customers.<i>.email | business.users.<i>.email',
    needs: ['reference data: internal_email_addresses'],
    why: "Mail for the customer would go to the operator's own desk.",
    checks: {
      account({ billing_email: email }, { references }, report) {
        if (given(email) && references.has('internal_email_addresses', email.toLowerCase()))
          report('billing_email', internalAddressDetail(email));
      },
      person({ email }, { references }, report) {
        if (given(email) && references.has('internal_email_addresses', email.toLowerCase()))
          report('email', internalAddressDetail(email));
      },
    },
  }),
  fieldRule({
    code: 'invalid_phone_number',
    path: 'customers.<i>.landline | customers.<i>.mobile | … .phone_number',
    why: 'A number that the numbering plan does not have cannot be called.',
  }),
  rule({
    code: 'fields_are_mutually_exclusive',
    path: 'customers.<i>.consents',
    why: 'Consents replace the older preferences; with both, nobody knows which answer holds.',
    checks: {
      customer(customer, _facts, report) {
        if (given(customer.customer_preferences) && given(customer.consents))
          report('consents', 'Send consents or customer_preferences, not both.');
      },
    },
  }),
  rule({
    code: 'required_user_role',
    path: 'customers.<i>.portfolio_roles',
    completeness: true,
    needs: ['instance: default_customer_role'],
    why: 'A person without a role may do nothing with the account.',
    checks: {
      customer(customer, { instance }, report) {
        const hasRole =
          given(customer.portfolio_roles) || given(customer.account_roles) || given(customer.role);
        if (!hasRole && !given(instance.default_customer_role))
          report(
            'portfolio_roles',
            'Give the customer a role: there is no role that people have by default.',
          );
      },
    },
  }),
  rule({
    code: 'customer_details_and_user_details_both_provided',
    path: 'customers.<i>.details | business.users.<i>',
    why: 'The same facts twice may differ, about a person and between two records of one person.',
    checks: {
      person(person, _facts, report) {
        if (given(person.details) && given(person.user_details))
          report('details', 'Send user_details or details, not both.');
      },
      account(account, _facts, report) {
        for (const [i, field] of disagreements(account))
          report(
            `business.users.${i}`,
            `A customer with the same e-mail address has another ${field}. Say the same of both.`,
          );
      },
    },
  }),
];

const CONTACTS = ['email', 'mobile', 'landline', 'contact_emails', 'alternative_phone_numbers'] as const;

function isTestAddress(email: string): boolean {
  const address = email.toLowerCase();
  return (
    TEST_ENDINGS.some((ending) => address.endsWith(ending)) ||
    TEST_BEGINNINGS.some((beginning) => address.startsWith(beginning))
  );
}

const TEST_ENDINGS = ['.xx', '.xxx', '@test.co.uk', '@test.com'];
const TEST_BEGINNINGS = ['xxx@', 'test@'];

function testAddressDetail(email: string): string {
  return `${quote(email)} looks like an address used for tests.`;
}

function internalAddressDetail(email: string): string {
  return `${quote(email)} is an address of the operator, not of the customer.`;
}

const BASICS = [
  'title',
  'given_name',
  'family_name',
  'date_of_birth',
  'mobile',
  'landline',
] as const satisfies readonly (keyof Person)[];

/** Business users who differ from the customer with the same address, each with the first field that differs. */
function disagreements({ business, customers }: Account): [number, string][] {
  if (!business?.users || !customers) return [];
  const byEmail = new Map(
    customers.flatMap((one) => (given(one.email) ? [[one.email.toLowerCase(), one]] : [])),
  );
  return [...business.users.entries()].flatMap(([i, user]): [number, string][] => {
    const customer = given(user.email) ? byEmail.get(user.email.toLowerCase()) : undefined;
    const field = customer && BASICS.find((basic) => differ(user, customer, basic));
    return field ? [[i, field]] : [];
  });
}

function differ(user: BusinessUser, customer: Customer, field: (typeof BASICS)[number]): boolean {
  const [one, other] = [user[field], customer[field]];
  return given(one) && given(other) && one !== other;
}
