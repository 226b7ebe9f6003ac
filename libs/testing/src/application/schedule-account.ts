import { ScheduleAccounts, type ScheduledAccount } from '@portage/imports';
import type { Caller } from '@portage/tenants';
import type { TestApplication } from './test-application';

/**
 * Schedules one account, as a request of a supplier does.
 *
 * @throws PortageError if it is refused
 */
export async function scheduleAccount(
  test: Pick<TestApplication, 'app'>,
  caller: Pick<Caller, 'organisationId' | 'actor'>,
  body: Record<string, unknown>,
  idempotencyKey?: string,
): Promise<ScheduledAccount> {
  const accounts = test.app.get(ScheduleAccounts);
  const posted = { caller, body };
  if (idempotencyKey !== undefined) return accounts.scheduleWithKey(posted, idempotencyKey);
  const [result] = await accounts.schedule([posted]);
  if (result?.status !== 'fulfilled') throw result?.reason;
  return result.value;
}
