import { type AccountRows, accountTables, type NewAccount } from '@portage/accounts';

/** An account to create that has only `rows`. */
export function newAccountWith(number: string, rows: Partial<AccountRows> = {}): NewAccount {
  const none = Object.fromEntries(accountTables.map((table) => [table, []])) as unknown as AccountRows;
  return {
    number,
    accountType: null,
    billing: {},
    details: {},
    cycle: { months: 1, startDay: 1, phase: 0 },
    rows: { ...none, ...rows },
  };
}
