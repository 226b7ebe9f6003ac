import type { ServiceProcess } from '@portage/local-environment';
import { check, Clients, LoadBalancer, untilProcessed } from '@portage/testing/promises';
import { wholeBook } from '../book';
import type { Scenario } from '../scenario';

const ACCOUNTS = Number(process.env['SCALE_ACCOUNTS'] ?? 2_000);
const TIMEOUT_MS = 180_000;
const KEY = 'rolling';

export default {
  title: 'replacing every API and worker under load fails no request, and loses or doubles no account',
  minutes: 2,
  run: async ({ install, random, atEnd }) => {
    const installation = await install({ postgres: {}, apis: 2, workers: 2, waits: 'default' });
    const balancer = new LoadBalancer(installation);
    atEnd(() => {
      balancer.close();
    });
    for (const api of installation.apis) await balancer.untilReady(api);
    const clients = new Clients(balancer, { random });
    atEnd(() => {
      clients.stop();
    });
    clients.allow(0);
    const posting = clients.post(wholeBook(KEY, ACCOUNTS), 32);
    const old = installation.programs;
    const isApi = ({ name }: ServiceProcess) => name.startsWith('api');
    for (const [index, program] of old.entries()) {
      const replacement = isApi(program) ? await installation.addApi() : await installation.startWorker();
      if (isApi(program)) await balancer.untilReady(replacement);
      const portion = ACCOUNTS / old.length;
      clients.allow(portion * (index + 1));
      await clients.waitForAnswers(portion * (index + 0.1));
      expect(clients.answered).toBeLessThan(portion * (index + 1));
      const [stopped] = await installation.stopPrograms([program]);
      expect(stopped).toMatchObject({ status: 0 });
    }
    clients.allow(ACCOUNTS);
    await posting;
    expect({ retried: clients.retried.size, unexpected: clients.unexpected }).toEqual({
      retried: 0,
      unexpected: [],
    });
    await untilProcessed(installation, KEY, ACCOUNTS, () => clients.summary(), TIMEOUT_MS);
    const { accepted, ...verdict } = await check(balancer, KEY, [clients], { haveOwnItems: true });
    expect({ accepted, ...verdict }).toMatchObject({
      accepted: ACCOUNTS,
      lost: 0,
      doubled: 0,
      violations: [],
    });
    // Both original instances and both replacements got requests.
    expect(new Set(clients.calls.map(({ instance }) => instance)).size).toBe(4);
    const [attempts] = await installation.sql<{ count: number }>(
      'SELECT sum(attempt)::int AS count FROM import_process',
    );
    expect(attempts!.count).toBe(ACCOUNTS);
    return undefined;
  },
} satisfies Scenario;
