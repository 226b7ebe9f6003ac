import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@portage/testing';
import { countProcesses } from '@portage/testing/promises';
import { strikeABook } from '../strike-a-book';
import { runningWorkers, whileSuspended } from '../strikes';

const PAUSED = 'import_supplier_migration_not_ongoing';
const TIMEOUT_MS = 30_000;
/** How long the pause lasts after the last answer. */
const PAUSE_MS = 3_000;

export default strikeABook({
  title: 'the supplier is paused half-way and resumed',
  minutes: 1,
  times: 1,
  affected: 'accounts held',
  refusals: [PAUSED],
  strike: async ({ installation, clients, size, key }) => {
    const setStatus = async (status: string) =>
      installation.operator('supplier', 'set-status', installation.supplier, status);
    const count = async (...statuses: string[]) => countProcesses(installation, key, ...statuses);
    // While the worker is suspended, accounts that were accepted before the pause queue up for it.
    await whileSuspended(runningWorkers(installation), async () => {
      await clients.waitForAnswers(size.accounts / 2);
      await setStatus('Paused');
    });
    try {
      clients.allow(size.accounts);
      await clients.waitForAnswers(size.accounts);
      await until(
        async () => (await count('IN_PROGRESS')) === 0 && clients.refused.size > 0,
        () => `no account was sent to the paused supplier, or imports did not end; ${clients.summary()}`,
        TIMEOUT_MS,
      );
      await sleep(PAUSE_MS);
      expect(await count('ERRORED', 'CANCELLED', 'IN_PROGRESS')).toBe(0);
      return await count('PENDING');
    } finally {
      await setStatus('Ongoing');
    }
  },
  recover: async ({ clients, size, book }) => {
    const refused = [...book].filter(([number]) => clients.refused.has(number));
    clients.refused.clear();
    await clients.post(refused, 32);
    await clients.waitForAnswers(size.accounts);
  },
});
