import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxVendors } from '@portage/local-environment';
import { announceSkippedCases, runsInFull, testedBackends, TestPortage } from '@portage/testing';
import { ATTACKED_ACCOUNTS, attacks } from './attacks';
import { Flood } from './flood';
import { Latencies, measure, ratioOf, type Row, toTable } from './latencies';
import { writeTable } from './security-page';
import { Tenant } from './tenant';
import { type RequestName, Victim } from './victim';

const SIZE = runsInFull
  ? { transactions: 10_000, instructionConnections: 700, documents: 50_000, samples: 200 }
  : { transactions: 2_000, instructionConnections: 200, documents: 5_000, samples: 20 };

/** The quantile that is compared. Few samples have no p99. */
const SHARE = runsInFull ? 0.99 : 0.9;

/** Time for an attack to reach its full strength. */
const WARM_UP_MS = runsInFull ? 3_000 : 1_000;

const MAX_RATIO = 3;
/** Requests below this are fast enough: at times the scheduling of a busy machine takes as long. */
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
      const alone = new Map(victims.map((name) => [name, [] as number[]]));
      const measureAlone = async () => {
        for (const [name, measured] of alone) {
          // The first requests of a kind open connections and prepare statements.
          await measure(5, victim.requests[name]);
          measured.push(...(await measure(SIZE.samples, victim.requests[name])));
        }
      };
      await measureAlone();
      const flood = await Flood.start(attacker, limits, requests(attacker));
      const attacked = new Map<RequestName, number[]>();
      let answers: Record<string, number> = {};
      try {
        await sleep(WARM_UP_MS);
        for (const name of victims)
          attacked.set(name, await measure(1 + SIZE.samples, victim.requests[name]));
      } finally {
        answers = await flood.stop();
      }
      await victim.waitUntilIdle();
      // Again, because other programs on the machine may be busier now than before.
      await measureAlone();
      const measured = [...attacked].map(([request, [first = NaN, ...others]]): Row => ({
        ...{ backend, attack: title, request, first },
        ...{ alone: new Latencies(alone.get(request) ?? []), attacked: new Latencies(others) },
      }));
      process.stderr.write(`${title}: ${JSON.stringify(answers)}\n${toTable(measured, SHARE)}\n`);
      rows.push(...measured);
      const slow = measured.filter(
        (row) => row.attacked.quantile(SHARE) > FAST_MS && ratioOf(row, SHARE) > MAX_RATIO,
      );
      expect(slow.map(({ request }) => request)).toEqual([]);
    },
    600_000,
  );
});

afterAll(() => {
  const isComplete =
    rows.length === testedBackends().length * attacks(SIZE).flatMap(({ victims }) => victims).length;
  if (runsInFull && testedBackends().length === 2 && isComplete) writeTable('fairness', toTable(rows, SHARE));
});
