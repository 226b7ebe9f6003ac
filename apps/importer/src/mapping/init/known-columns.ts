/** A column whose name says what it has. */
export interface KnownColumn {
  /** The name in lower-case letters, without spaces, punctuation and a number at its end. */
  readonly name: RegExp;
  /** The field of the account. `{n}` is the number at the end of the name, 1 without one. */
  readonly field: string;
  /** The list whose items this column tells apart. */
  readonly identifies?: string;
  /** A constant that its name implies for a field beside it. */
  readonly implies?: { readonly field: string; readonly value: string };
}

const METER_POINTS = 'supply_addresses[].meter_points[]';
const METERS = `${METER_POINTS}.meters[]`;
const REGISTERS = `${METERS}.registers[]`;

/** The list of readings, which registers are part of as well. */
export const READINGS = `${METERS}.reading_history[]`;

/** The column of a register, which readings have too. */
export const REGISTER_FIELD = `${REGISTERS}.register_id`;

/** Stands for mobile or landline, whichever the numbers are. */
export const ANY_PHONE = 'customers[].phone';

/** Stands for the first line of an address that no other column has. */
export const NEXT_LINE = '{next}';

const NUMBER = '(no|num|nr|nbr|number|ref|reference|id|code)';
const ACCOUNT = '(cust|customer|account|acct|acc|client|kunde|kunden)';
const SUPPLY = '(supply|site|premise|premises|property|prem)';
const BILLING = '(bill|billing|corr|correspondence|mail|mailing)?';
const LINE = '(addr|address|adr|street|addrline|addressline)';
const TOWN = '(town|city|county|locality|district|posttown)';
const STATEMENT = '(statement|stmt|invoice|bill)';
const POSTCODE = '(pcode|postcode|postalcode|zip|zipcode)';

function named(pattern: string, field: string, more: Omit<KnownColumn, 'name' | 'field'> = {}): KnownColumn {
  return { name: new RegExp(`^(?:${pattern})$`), field, ...more };
}

/** The first that fits is taken. */
const KNOWN: readonly KnownColumn[] = [
  named(`${ACCOUNT}${NUMBER}`, 'external_account_number'),
  named(`${ACCOUNT}?(type|class|kind)`, 'account_type'),
  named(`(${ACCOUNT}|bill|billing|full)?name`, 'billing_name'),
  named('(company|business|organisation|firm|trading)(name)?', 'business.company_name'),
  named(`(company|comp|co|registration)${NUMBER}`, 'business.company_number'),
  named('title', 'customers[].title'),
  named('salutation', 'customers[].salutation'),
  named('(fore|first|given|christian)names?|fname', 'customers[].given_name'),
  named('(sur|last|family)name|lname', 'customers[].family_name'),
  named('e?mail(addr|address)?', 'customers[].email'),
  named('(mob|mobile|cell)(phone|tel|no|number)?', 'customers[].mobile'),
  named('landline|home(phone|tel|telephone)', 'customers[].landline'),
  named('(tel|telephone|phone)(no|num|number)?', ANY_PHONE),
  named('dob|dateofbirth|birthdate|birthday', 'customers[].date_of_birth'),
  named(`${SUPPLY}${LINE}`, 'supply_addresses[].supply_address{n}'),
  named(`${SUPPLY}${TOWN}`, `supply_addresses[].supply_address${NEXT_LINE}`),
  named(`${SUPPLY}${POSTCODE}`, 'supply_addresses[].supply_postcode'),
  named(`${BILLING}${LINE}`, 'billing_address{n}'),
  named(`${BILLING}${TOWN}`, `billing_address${NEXT_LINE}`),
  named(`${BILLING}${POSTCODE}`, 'billing_postcode'),
  named('movein(date)?', 'supply_addresses[].customer_at_supply_address_from_date'),
  named('(account|acct|acc|current|transfer)?(bal|balance)(amt|amount)?', 'transfer_balance'),
  named('(last)?(bill|billed)(to|until|upto)(date)?', 'last_billed_to_date'),
  named('(date)?(of)?sale(s)?(date)?|signup(date)?', 'date_of_sale'),
  named('(lang|language)(pref|preference|code)?', 'language_preference'),
  named('(mpan|meterpointadministrationnumber)(core|no|number)?', `${METER_POINTS}.identifier`, {
    identifies: METER_POINTS,
    implies: { field: 'supply_type', value: 'ELECTRICITY' },
  }),
  named('(mprn|meterpointreferencenumber)(no|number)?', `${METER_POINTS}.identifier`, {
    identifies: METER_POINTS,
    implies: { field: 'supply_type', value: 'GAS' },
  }),
  named('(supply|ssd)(start)?(date|from)', `${METER_POINTS}.supply_start_date`),
  named('profileclass', `${METER_POINTS}.profile_class`),
  named('tariff(code)?', `${METER_POINTS}.agreements[].tariff_code`),
  named('(agreement|contract|tariff)(start|from)(date)?', `${METER_POINTS}.agreements[].effective_from`),
  named('(agreement|contract|tariff)(end|to)(date)?', `${METER_POINTS}.agreements[].effective_to`),
  named(
    '(meter|mtr)?(serial|msn)(no|num|number)?|(meter|mtr)(no|num|number|id)',
    `${METERS}.meter_serial_number`,
    {
      identifies: METERS,
    },
  ),
  named('reg|(reg|register)(id|no|num|number)', REGISTER_FIELD, { identifies: REGISTERS }),
  named('(no|num|number)?(of)?(digits|dials)', `${REGISTERS}.number_of_digits`),
  named('(read|reading)(date|dt|on)', `${READINGS}.reading_date`),
  named('(read|reading)(type|kind)', `${READINGS}.reading_type`),
  named('(meter)?(read|reading)(value|val)?', `${READINGS}.reading_value`),
  named(`${STATEMENT}${NUMBER}`, 'statements[].statement_id'),
  named(`${STATEMENT}(period)?(from|start)(date)?`, 'statements[].bill_period_from_date'),
  named(`${STATEMENT}(period)?(to|end)(date)?`, 'statements[].bill_period_to_date'),
  named(`${STATEMENT}(issue|issued)?(date|on)`, 'statements[].issued_date'),
  named(`${STATEMENT}(gross|total)?(amt|amount)|gross(amt|amount)?`, 'statements[].gross_amount'),
  named(`(${STATEMENT}|pdf)(path|file|filename|document)`, 'statements[].statement_path'),
  named('(note|comment|remark)(text|body)?s?', 'notes[].body'),
];

/** What the name of a column says, if it says something. */
export function knownColumn(header: string): { known: KnownColumn; number: number | undefined } | undefined {
  const letters = header
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
  const { name = '', digits } = /^(?<name>.*?)(?<digits>\d{1,2})?$/.exec(letters)?.groups ?? {};
  const known = KNOWN.find((one) => one.name.test(name));
  return known && { known, number: digits === undefined ? undefined : Number(digits) };
}
