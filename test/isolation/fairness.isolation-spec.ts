import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxVendors } from '@portage/local-environment';
import { announceSkippedCases, runsInFull, testedBackends, TestPortage } from '@portage/testing';
import { ATTACKED_ACCOUNTS, attacks } from './attacks';
import { Flood } from './flood';
import { measure, type Row, toTable } from './latencies';
import { writeTable } from './security-page';
import { Tenant } from './tenant';
import { Victim } from './victim';

const SIZE = runsInFull
  ? { transactions: 10_000, instructionConnections: 700, documents: 50_000, samples: 200 }
  : { transactions: 2_000, instructionConnections: 200, documents: 5_000, samples: 30 };

/** Time for an attack to reach its full strength. */
const WARM_UP_MS = 2_000;

const MAX_RATIO = 3;
/** Below this p99 a request counts as fast, because the scheduling of a busy machine alone takes that long at times. */
const FAST_MS = runsInFull ? 100 : 300;

announceSkippedCases();
const rows: Row[] = [];

describe.each(testedBackends())('one supplier that floods the service, with the queue in %s', (backend) => {
  let sandbox: SandboxVendors;
  let portage: TestPortage;
  let attacker: Tenant;
  let victim: Victim;
  let tenants: Tenant[] = [];

  beforeAll(async () => {
    sandbox = await SandboxVendors.start();
    portage = await TestPortage.start({ backend, waits: 'default', env: sandbox.settings });
    tenants = [await Tenant.join(portage, 'attacker'), await Tenant.join(portage, 'victim')];
    attacker = tenants[0]!;
    await attacker.importAccounts(ATTACKED_ACCOUNTS);
    victim = await Victim.start(tenants[1]!);
  });
  afterAll(async () => {
    await victim.stop();
    for (const tenant of tenants) await tenant.leave();
    await portage.stop();
    await sandbox.stop();
  });

  const all = attacks(SIZE);
  it.each(runsInFull ? all : all.filter(({ isShort }) => isShort))(
    'does not slow the requests of another: $title',
    async ({ title, requests, victims, ...limits }) => {
      const alone = new Map<string, Row['alone']>();
      for (const name of victims) {
        // The first requests of a kind open connections and prepare statements.
        await measure(10, victim.requests[name]);
        alone.set(name, await measure(SIZE.samples, victim.requests[name]));
      }
      const flood = await Flood.start(attacker, limits, requests(attacker));
      const measured: Row[] = [];
      try {
        await sleep(WARM_UP_MS);
        for (const request of victims)
          measured.push({
            ...{ backend, attack: title, request, alone: alone.get(request)! },
            attacked: await measure(SIZE.samples, victim.requests[request]),
          });
      } finally {
        const answers = await flood.stop();
        process.stderr.write(`${title}: ${JSON.stringify(answers)}\n${toTable(measured)}\n`);
      }
      rows.push(...measured);
      for (const { request, alone: before, attacked } of measured)
        expect({ request, isSlow: attacked.p99 > Math.max(FAST_MS, MAX_RATIO * before.p99) }).toEqual({
          request,
          isSlow: false,
        });
    },
    600_000,
  );
});

afterAll(() => {
  process.stderr.write(`${toTable(rows)}\n`);
  const isComplete = rows.length === testedBackends().length * attacks(SIZE).flatMap((a) => a.victims).length;
  if (runsInFull && testedBackends().length === 2 && isComplete) writeTable('fairness', toTable(rows));
});
