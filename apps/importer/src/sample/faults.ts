import { type Account } from './account';

/** One kind of mistake, as suppliers make them. */
export interface Fault {
  name: string;
  /** What the service answers to it: the code of the account's first, and only, error. */
  code: string;
  /** The line as it stands in the book. @param account a valid domestic account, which may be altered */
  line(account: Account): string;
}

/**
 * The mistakes, in the order in which a book gets them: the first dozen differ most. Each breaks one value only,
 * one that can be judged without knowing anything but the contract.
 */
export const FAULTS: readonly [Fault, ...Fault[]] = [
  onCustomer('letters for a landline', 'invalid_phone_number', (customer) => {
    customer['landline'] = 'ask at reception';
  }),
  onCustomer('a day that is not in the calendar', 'invalid', (customer) => {
    customer['date_of_birth'] = '1985-02-30';
  }),
  onAccount('no external account number', 'required', (account) => {
    delete account['external_account_number'];
  }),
  onCustomer('a family name longer than the field', 'max_length', (customer) => {
    customer['family_name'] = 'Featherstonehaugh'.repeat(20);
  }),
  onCustomer('an e-mail address without an @', 'invalid', (customer) => {
    customer['email'] = 'maeve.aldous at example.org';
  }),
  onAccount('a postcode of no country', 'invalid_postcode', (account) => {
    billTo(account, { billing_address1: '4 Weir Cottages', billing_postcode: 'NOWHERE' });
  }),
  onCustomer('null for a name', 'null', (customer) => {
    customer['given_name'] = null;
  }),
  onAccount('a channel that does not exist', 'invalid_choice', (account) => {
    account['communication_preference'] = 'PIGEON';
  }),
  onAccount('one customer instead of a list', 'not_a_list', (account) => {
    account['customers'] = firstCustomer(account);
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
  onCustomer('a NUL character in a name', 'invalid', (customer) => {
    customer['family_name'] = 'Al\u0000dous';
  }),
  onCustomer('true for a name', 'invalid', (customer) => {
    customer['given_name'] = true;
  }),
  onCustomer('a mobile number with digits missing', 'invalid_phone_number', (customer) => {
    customer['mobile'] = '07400 12';
  }),
  onAccount('an address without its country', 'required', (account) => {
    billTo(account, { billing_address: { street_address: '4 Weir Cottages', postal_code: 'NN99 9ZZ' } });
  }),
  onAccount('text where an address belongs', 'invalid', (account) => {
    billTo(account, { billing_address: '4 Weir Cottages, Larkby' });
  }),
  onAccount('an account number longer than the field', 'max_length', (account) => {
    account['external_account_number'] = `${String(account['external_account_number'])}-`.padEnd(129, '0');
  }),
];

function onAccount(name: string, code: string, spoil: (account: Account) => void): Fault {
  return {
    name,
    code,
    line: (account) => {
      spoil(account);
      return JSON.stringify(account);
    },
  };
}

function onCustomer(name: string, code: string, spoil: (customer: Account) => void): Fault {
  return onAccount(name, code, (account) => {
    spoil(firstCustomer(account));
  });
}

/** Puts one billing address in the place of the other, whichever of the two styles that had. */
function billTo(account: Account, address: Record<string, unknown>): void {
  for (const field of Object.keys(account)) {
    if (/^billing_(address|postcode)/.test(field)) Reflect.deleteProperty(account, field);
  }
  Object.assign(account, address);
}

function firstCustomer(account: Account): Account {
  const [first] = account['customers'] as Account[];
  if (first === undefined) throw new Error('A fault is planted in an account with customers.');
  return first;
}
