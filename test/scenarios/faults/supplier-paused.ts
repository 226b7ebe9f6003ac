import { until } from '@portage/testing';
import { countProcesses } from '@portage/testing/promises';
import { strikeABook } from '../strike-a-book';
import { runningWorkers, whileSuspended } from '../strikes';

const PAUSED = 'import_supplier_migration_not_ongoing';
const TIMEOUT_MS = 30_000;

export default strikeABook({
  title: 'the supplier is paused half-way and resumed',
  minutes: 1,
  times: 1,
  affected: 'accounts refused',
  refusals: [PAUSED],
  strike: async ({ installation, clients, size, key }) => {
    const setStatus = async (status: string) =>
      installation.operator('supplier', 'set-status', installation.supplier, status);
    const countErrored = async () => countProcesses(installation, key, 'ERRORED');
    // While the worker is suspended, accounts that were accepted before the pause queue up for it.
    await whileSuspended(runningWorkers(installation), async () => {
      await clients.waitForAnswers(size.accounts / 2);
      await setStatus('Paused');
    });
    try {
      clients.allow(size.accounts);
      await clients.waitForAnswers(size.accounts);
      await until(
        async () => (await countErrored()) > 0 && clients.refused.size > 0,
        () => `no account of a paused supplier was ERRORED and refused; ${clients.summary()}`,
        TIMEOUT_MS,
      );
      return (await countErrored()) + clients.refused.size;
    } finally {
      await setStatus('Ongoing');
    }
  },
  recover: async ({ installation, clients, size, key, book }) => {
    const refused = [...book].filter(([number]) => clients.refused.has(number));
    clients.refused.clear();
    await clients.post(refused, 32);
    await clients.waitForAnswers(size.accounts);
    await until(
      async () => (await countProcesses(installation, key, 'PENDING', 'IN_PROGRESS')) === 0,
      'some import processes had not ended',
      size.recoveryTimeoutMs,
    );
    const { supplier } = installation;
    await installation.operator('process', 'retry', '--supplier', supplier, '--error-code', PAUSED);
  },
});
