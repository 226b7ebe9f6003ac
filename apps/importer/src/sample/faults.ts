import type { Account } from './account';

/** A kind of mistake that suppliers make. */
export interface Fault {
  name: string;
  /** Error code that the service reports: the code of the account's only error. */
  code: string;
  /** Builds the line of the book. @param account a valid domestic account, which is modified */
  line(account: Account): string;
}

/**
 * The mistakes, in the order in which they are used; the first twelve are the most diverse. Each makes one value
 * invalid, and it is invalid by the contract alone.
 */
export const FAULTS: readonly [Fault, ...Fault[]] = [
  customerFault('letters for a landline', 'invalid_phone_number', (customer) => {
    customer['landline'] = 'ask at reception';
  }),
  customerFault('a day that is not in the calendar', 'invalid', (customer) => {
    customer['date_of_birth'] = '1985-02-30';
  }),
  accountFault('no external account number', 'required', (account) => {
    delete account['external_account_number'];
  }),
  customerFault('a family name longer than the field', 'max_length', (customer) => {
    customer['family_name'] = 'Featherstonehaugh'.repeat(20);
  }),
  customerFault('an e-mail address without an @', 'invalid', (customer) => {
    customer['email'] = 'maeve.aldous at example.org';
  }),
  accountFault('a postcode of no country', 'invalid_postcode', (account) => {
    replaceBillingAddress(account, { billing_address1: '4 Weir Cottages', billing_postcode: 'NOWHERE' });
  }),
  customerFault('null for a name', 'null', (customer) => {
    customer['given_name'] = null;
  }),
  accountFault('a channel that does not exist', 'invalid_choice', (account) => {
    account['communication_preference'] = 'PIGEON';
  }),
  accountFault('one customer instead of a list', 'not_a_list', (account) => {
    account['customers'] = getFirstCustomer(account);
  }),
  {
    name: 'a list instead of an object',
    code: 'parse_error',
    line: (account) => JSON.stringify([account]),
  },
  {
    name: 'a line that breaks off',
    code: 'parse_error',
    line: (account) => JSON.stringify(account).slice(0, 700),
  },
  customerFault('a NUL character in a name', 'invalid', (customer) => {
    customer['family_name'] = 'Al\u0000dous';
  }),
  customerFault('true for a name', 'invalid', (customer) => {
    customer['given_name'] = true;
  }),
  customerFault('a mobile number with digits missing', 'invalid_phone_number', (customer) => {
    customer['mobile'] = '07400 12';
  }),
  accountFault('an address without its country', 'required', (account) => {
    replaceBillingAddress(account, {
      billing_address: { street_address: '4 Weir Cottages', postal_code: 'NN99 9ZZ' },
    });
  }),
  accountFault('text where an address belongs', 'invalid', (account) => {
    replaceBillingAddress(account, { billing_address: '4 Weir Cottages, Larkby' });
  }),
  accountFault('an account number longer than the field', 'max_length', (account) => {
    account['external_account_number'] = `${String(account['external_account_number'])}-`.padEnd(129, '0');
  }),
];

function accountFault(name: string, code: string, spoil: (account: Account) => void): Fault {
  return {
    name,
    code,
    line: (account) => {
      spoil(account);
      return JSON.stringify(account);
    },
  };
}

function customerFault(name: string, code: string, spoil: (customer: Account) => void): Fault {
  return accountFault(name, code, (account) => {
    spoil(getFirstCustomer(account));
  });
}

/** Replaces the billing address of an account, which has either of the two styles. */
function replaceBillingAddress(account: Account, address: Record<string, unknown>): void {
  for (const field of Object.keys(account)) {
    if (/^billing_(address|postcode)/.test(field)) Reflect.deleteProperty(account, field);
  }
  Object.assign(account, address);
}

function getFirstCustomer(account: Account): Account {
  const [first] = account['customers'] as Account[];
  if (first === undefined) throw new Error('The account must have customers.');
  return first;
}
