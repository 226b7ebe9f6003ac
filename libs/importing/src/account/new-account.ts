import type { Account, Customer, Transaction } from '@portage/account-schema';
import type { NewAccount, NewChargedPeriod, NewCustomer, NewDebt } from '@portage/database';

/** Fields of a customer that have columns of their own. */
const CUSTOMER_COLUMNS = [
  'user_identifier',
  'title',
  'given_name',
  'family_name',
  'email',
  'mobile',
  'landline',
  'date_of_birth',
] as const satisfies readonly (keyof Customer)[];

function newCustomer(customer: Customer): NewCustomer {
  const own = new Set<string>(CUSTOMER_COLUMNS);
  return {
    user_identifier: customer.user_identifier ?? undefined,
    title: customer.title ?? undefined,
    given_name: customer.given_name ?? '',
    family_name: customer.family_name ?? '',
    email: customer.email ?? undefined,
    mobile: customer.mobile ?? undefined,
    landline: customer.landline ?? undefined,
    date_of_birth: customer.date_of_birth ?? undefined,
    details: Object.fromEntries(Object.entries(customer).filter(([name]) => !own.has(name))),
  };
}

function newDebts({ debt, debts }: Account): NewDebt[] {
  return [...(debts ?? []), ...(debt ? [debt] : [])].map(({ cais_reference, ...details }) => ({
    cais_reference: cais_reference ?? null,
    details,
  }));
}

/** Every transaction of the payload, wherever it stands. */
function* transactionsOf(account: Account): Generator<Transaction> {
  for (const holder of [account, ...(account.ledgers ?? [])]) {
    yield* holder.historical_statement_transactions ?? [];
    yield* holder.current_statement_transactions ?? [];
  }
}

function newChargedPeriods(account: Account): NewChargedPeriod[] {
  const periods: NewChargedPeriod[] = [];
  for (const transaction of transactionsOf(account)) {
    if (transaction.type !== 'SUPPLY_CHARGE' || !transaction.supply_point_identifier) continue;
    const { supply_point_identifier } = transaction;
    for (const { start_date, end_date } of transaction.line_items)
      periods.push({ supply_point_identifier, start_date, end_date });
  }
  return periods;
}

/** The rows that a valid account becomes. */
export function newAccount(account: Account, number: string): NewAccount {
  return {
    number,
    accountType: account.account_type ?? null,
    billing: Object.fromEntries(Object.entries(account).filter(([name]) => name.startsWith('billing_'))),
    customers: (account.customers ?? []).map(newCustomer),
    references: account.references ?? [],
    debts: newDebts(account),
    chargedPeriods: newChargedPeriods(account),
  };
}
