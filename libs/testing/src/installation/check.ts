import { checkHistory, countEnds, type Expectations } from './check-history';
import { checkTables } from './check-tables';
import type { Clients, ReadableService } from './clients';
import type { Call } from './history';
import { readStored, readViews } from './stored-accounts';

/** What a run has kept and broken. */
export interface Verdict {
  calls: number;
  /** Accounts that were confirmed with 201 or by an upload that was answered with 200. */
  accepted: number;
  /** Accepted accounts that do not exist. */
  lost: number;
  /** Accounts that exist, or were created, more than once. */
  doubled: number;
  /** One line for each broken promise. */
  violations: string[];
}

/**
 * Checks everything that clients were promised: what they have seen of the accounts whose numbers begin with `key`, what is
 * stored of these, and what each API shows of them at the end.
 */
export async function check(
  service: ReadableService,
  key: string,
  clients: readonly Clients[],
  expectations: Expectations = {},
): Promise<Verdict> {
  const calls: Call[] = clients.flatMap((one) => one.calls);
  const stored = await readStored(service, key);
  const views = await readViews(service, clients[0]!);
  const accepted = new Set(clients.flatMap((one) => [...one.accepted]));
  const existing = new Set(stored.filter(({ accounts }) => accounts > 0).map(({ account }) => account));
  return {
    calls: calls.length,
    accepted: accepted.size,
    lost: [...accepted].filter((account) => !existing.has(account)).length,
    doubled: stored.filter((one) => one.accountsOfNumber > 1 || countEnds(one) > 1).length,
    violations: [
      ...clients.flatMap(({ unexpected }) => unexpected),
      ...checkHistory(calls, stored, views, expectations),
      ...(await checkTables(service, expectations.haveOwnItems ? key : undefined)),
    ],
  };
}
