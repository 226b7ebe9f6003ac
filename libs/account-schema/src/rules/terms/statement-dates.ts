import type { Account } from '../../contract/account';
import { dayAfter, earliest } from './calendar';

/** **closing date** of the account: last_statement_closing_date, else the earliest last-billed-to date. */
export function closingDate(account: Account, earliestBilledTo: string | undefined): string | undefined {
  return account.last_statement_closing_date ?? earliestBilledTo;
}

/** **opening date** of the account: the day after last_statement_closing_date, else the earliest last-billed-to date. */
export function openingDate(account: Account, earliestBilledTo: string | undefined): string | undefined {
  const { last_statement_closing_date: closed } = account;
  return closed === undefined ? earliestBilledTo : dayAfter(closed);
}

/**
 * **takeover date**, the first day that the new system bills: the earliest last-billed-to date, else the day after
 * the closing date (of the account, else the earliest of its ledgers), else the earliest start of an agreement.
 */
export function takeoverDate(account: Account, earliestBilledTo: string | undefined): string | undefined {
  if (earliestBilledTo !== undefined) return earliestBilledTo;
  const closed =
    account.last_statement_closing_date ??
    earliest((account.ledgers ?? []).map((ledger) => ledger.last_statement_closing_date));
  return closed === undefined ? earliest(agreementStarts(account)) : dayAfter(closed);
}

function* agreementStarts(account: Account): Iterable<string> {
  for (const address of account.supply_addresses ?? []) {
    for (const point of address.meter_points) {
      for (const agreement of point.agreements ?? []) yield agreement.effective_from;
    }
  }
}
