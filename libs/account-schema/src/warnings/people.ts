import type { Person } from '../contract/customer';
import { eachRepeat } from '../rules/engine/rule';
import { keyOf } from '../rules/terms/find-repeats';
import { isGiven } from '../rules/terms/is-given';
import { quote } from '../rules/terms/quote';
import { type Warning, valueWarning, warning } from './warning';

const NAMES = { person: ['given_name', 'family_name'] } as const;

/** Warnings about customers and business users. */
export const PEOPLE_WARNINGS: readonly Warning[] = [
  warning({
    code: 'date_of_birth_in_future',
    on: 'person',
    field: 'date_of_birth',
    needs: ['clock'],
    reason: 'A customer was born in the past. Years of two digits become such dates.',
    mend: 'correct the year, or leave the date out.',
    breach: ({ date_of_birth: born }, { today }) =>
      isGiven(born) && born > today && `The date of birth is ${born}, which is after today.`,
  }),
  warning({
    code: 'date_of_birth_before_1900',
    on: 'person',
    field: 'date_of_birth',
    reason: 'Placeholders for an unknown date are before 1900, customers are not.',
    mend: 'correct the year, or leave an unknown date out.',
    breach: ({ date_of_birth: born }) =>
      isGiven(born) && born < '1900-01-01' && `The date of birth is ${born}, before 1900.`,
  }),
  warning({
    code: 'date_of_birth_of_a_child',
    on: 'person',
    field: 'date_of_birth',
    needs: ['clock'],
    reason: `Account holders are at least 16 years old. A date of sale in the wrong column makes them younger.`,
    mend: 'correct the date, or leave it out.',
    breach: ({ date_of_birth: born }, { today }) =>
      isGiven(born) &&
      born <= today &&
      born > yearsBefore(today, MIN_AGE_YEARS) &&
      `The date of birth is ${born}, less than ${MIN_AGE_YEARS} years ago.`,
  }),
  valueWarning({
    code: 'name_with_digits',
    at: NAMES,
    reason: 'Names of people have no digits. References in a name are printed on letters.',
    mend: 'send the name alone, and the number in the field that it belongs to.',
    breach: (name) => /\d/.test(name) && `The name ${quote(name)} has digits.`,
  }),
  valueWarning({
    code: 'name_is_an_email_address',
    at: NAMES,
    reason: 'Letters are addressed by name.',
    mend: 'send the name here, and the address as `email`.',
    breach: (name) => name.includes('@') && `The name ${quote(name)} looks like an e-mail address.`,
  }),
  valueWarning({
    code: 'placeholder_name',
    at: NAMES,
    reason: 'A placeholder is printed on letters as if it were the name.',
    mend: 'send the name, or leave the field out.',
    breach: (name) =>
      PLACEHOLDERS.has(name.toLowerCase().replace(/[^a-z]/g, '')) &&
      `The name ${quote(name)} looks like a placeholder.`,
  }),
  valueWarning({
    code: 'title_in_name',
    at: NAMES,
    reason: 'Letters would repeat the title, or leave it out of the salutation.',
    mend: 'send the title as `title`, and the name without it.',
    breach: (name) => TITLE.test(name) && `The name ${quote(name)} begins with a title.`,
  }),
  warning({
    code: 'person_repeated',
    on: 'account',
    field: 'customers.<i>',
    reason: 'A person who is sent twice gets every message twice.',
    mend: 'send the person once, with all roles.',
    breach: ({ customers }) =>
      eachRepeat(
        customers,
        identityOf,
        (first) => `The person has the names, date of birth and e-mail address of customers.${first}.`,
      ),
  }),
  warning({
    code: 'mobile_number_in_landline',
    on: 'person',
    field: 'landline',
    reason: 'Text messages are sent to `mobile` only. Great Britain only.',
    mend: 'send the number as `mobile`.',
    breach: ({ landline: number }, { region }) =>
      region === 'GB' &&
      number?.startsWith(BRITISH_MOBILE) === true &&
      `The number ${quote(number)} is a mobile number.`,
  }),
  warning({
    code: 'landline_number_in_mobile',
    on: 'person',
    field: 'mobile',
    reason: 'Text messages to a landline are lost. Great Britain only.',
    mend: 'send the number as `landline`.',
    breach: ({ mobile: number }, { region }) =>
      region === 'GB' &&
      number?.startsWith('+44') === true &&
      !number.startsWith(BRITISH_MOBILE) &&
      `The number ${quote(number)} is not a mobile number.`,
  }),
  warning({
    code: 'online_bills_without_email_address',
    on: 'account',
    field: 'communication_preference',
    reason: 'Bills that are sent online need an e-mail address.',
    mend: 'send an e-mail address, or PRINT.',
    breach: (account) => {
      const { communication_preference: preference, billing_email: billing, customers } = account;
      if (preference !== 'ONLINE' || isGiven(billing) || !isGiven(customers)) return undefined;
      return (
        !customers.some(({ email, contact_emails: others }) => isGiven(email) || isGiven(others)) &&
        'Bills are sent ONLINE, but no customer has an e-mail address.'
      );
    },
  }),
  warning({
    code: 'billing_name_without_letters',
    on: 'account',
    field: 'billing_name',
    reason: 'Bills show the name.',
    mend: 'send the name, and a number as `billing_customer_reference`.',
    breach: ({ billing_name: name }) =>
      isGiven(name) && !/\p{L}/u.test(name) && `The name on bills is ${quote(name)}, without a letter.`,
  }),
  warning({
    code: 'account_number_without_digits',
    on: 'account',
    field: 'external_account_number',
    reason: 'A name in the place of the account number shows that columns are shifted.',
    mend: "send the account's number, as it stays: later requests name it.",
    breach: ({ external_account_number: number }) =>
      !/\p{Nd}/u.test(number) && `The account number is ${quote(number)}, without a digit.`,
  }),
];

const MIN_AGE_YEARS = 16;

const BRITISH_MOBILE = '+447';

/** Names without their punctuation, in lower case. */
const PLACEHOLDERS = new Set([
  'blank',
  'deleted',
  'donotuse',
  'dummy',
  'firstname',
  'lastname',
  'na',
  'noname',
  'none',
  'notknown',
  'null',
  'surname',
  'tba',
  'tbc',
  'tbd',
  'test',
  'undefined',
  'unknown',
  'xx',
  'xxx',
  'xxxx',
]);

const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame)[. ]/i;

/** The day so many years before; 29 February becomes 1 March in effect, because texts are compared. */
function yearsBefore(day: string, years: number): string {
  return `${String(Number(day.slice(0, 4)) - years).padStart(4, '0')}${day.slice(4)}`;
}

/** What tells people apart; undefined without a family name. */
function identityOf({ given_name, family_name, date_of_birth, email }: Person): string | undefined {
  if (!isGiven(family_name)) return undefined;
  return keyOf(given_name?.toLowerCase(), family_name.toLowerCase(), date_of_birth, email?.toLowerCase());
}
