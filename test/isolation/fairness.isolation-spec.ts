import { setTimeout as sleep } from 'node:timers/promises';
import { announceSkippedCases, runsInFull, testedBackends } from '@portage/testing';
import { SandboxVendors } from '@portage/testing/local-environment';
import { type Attack, attacks } from './attacks';
import { AttackedInstallation } from './installation';
import { allowedMs, Latencies, type LatencyLimits, measure, type Row, toTable } from './latencies';
import { writeTable } from './security-page';
import type { RequestName } from './victim';

const SIZE = runsInFull
  ? { transactions: 10_000, instructionConnections: 700, documents: 50_000 }
  : { transactions: 2_000, instructionConnections: 200, documents: 5_000 };
const SAMPLES = runsInFull ? { samples: 200, minMs: 1_000 } : { samples: 20, minMs: 0 };
/** The first requests of a kind open connections and prepare statements. */
const WARM_UP = { samples: 5, minMs: 0 };

/** Time for an attack to reach its full strength. */
const WARM_UP_MS = runsInFull ? 3_000 : 1_000;

/**
 * Beside an attacked installation the victim has processes of its own and shares the machine only. On the same
 * installation it has an equal share of one API and one worker, so it may take twice as long. No client notices 15 ms:
 * the slowest of a hundred reads of half a millisecond are decided by one pause of a garbage collector.
 *
 * The short form has no second installation, and few samples. So it has a lower limit in milliseconds, because the
 * scheduling of a busy machine takes as long at times.
 */
const LIMITS: LatencyLimits = runsInFull
  ? { share: 0.99, timesAlone: 3, timesBeside: 2, fastMs: 15 }
  : { share: 0.9, timesAlone: 3, timesBeside: 0, fastMs: 300 };

/** The first request while the attacker has the limits of a supplier that is alone. */
const MAX_FIRST_MS = 1_000;

announceSkippedCases();
const rows: Row[] = [];

/** Latencies by the kind of request. */
type Measured = Map<RequestName, number[]>;

describe.each(testedBackends())('one supplier that floods the service, with the queue in %s', (backend) => {
  let sandbox: SandboxVendors;
  let shared: AttackedInstallation;
  /** On the same machine, with a database, an API and a worker of its own. */
  let separate: AttackedInstallation | undefined;

  beforeAll(async () => {
    sandbox = await SandboxVendors.start();
    shared = await AttackedInstallation.start(backend, sandbox.settings);
    if (runsInFull) separate = await AttackedInstallation.start(backend, sandbox.settings);
  });
  afterAll(async () => {
    await separate?.stop();
    await shared.stop();
    await sandbox.stop();
  });

  async function measureAlone({ victims }: Attack): Promise<Measured> {
    const measured: Measured = new Map();
    for (const name of victims) {
      await measure(WARM_UP, shared.victim.requests[name]);
      measured.set(name, await measure(SAMPLES, shared.victim.requests[name]));
    }
    return measured;
  }

  /** Attacks an installation, and measures the victim of the shared one. The first latency of each kind is the first. */
  async function measureAttacked(attacked: AttackedInstallation, attack: Attack): Promise<Measured> {
    const flood = await attacked.attack(attack);
    const measured: Measured = new Map();
    try {
      await sleep(WARM_UP_MS);
      for (const name of attack.victims)
        measured.set(name, [
          ...(await measure({ samples: 1, minMs: 0 }, shared.victim.requests[name])),
          ...(await measure(SAMPLES, shared.victim.requests[name])),
        ]);
    } finally {
      process.stderr.write(`${attack.title}: ${JSON.stringify(await flood.stop())}\n`);
    }
    await attacked.victim.waitUntilIdle();
    return measured;
  }

  /** What the victim loses during the same attack on another installation is due to the machine. */
  async function measureBeside(attack: Attack): Promise<Measured | undefined> {
    if (!separate) return undefined;
    const ended = new AbortController();
    const company = separate.keepCompany(WARM_UP_MS, ended.signal);
    const measured = await measureAttacked(separate, attack);
    ended.abort();
    await company;
    if (attack.leavesWork) {
      await separate.stop();
      separate = undefined;
    }
    return measured;
  }

  const all = attacks(SIZE);
  it.each(runsInFull ? all : all.filter(({ isShort }) => isShort))(
    'does not slow the requests of another: $title',
    async (attack) => {
      const before = await measureAlone(attack);
      const beside = await measureBeside(attack);
      // Twice, because other programs on the machine may be busier now than before.
      const between = attack.leavesWork ? await measureAlone(attack) : undefined;
      const attacked = await measureAttacked(shared, attack);
      const again = between ?? (await measureAlone(attack));
      const measured = attack.victims.map((request): Row => {
        const [first = NaN, ...others] = attacked.get(request) ?? [];
        const besideOthers = beside?.get(request)?.slice(1);
        return {
          backend,
          attack: attack.title,
          request,
          first,
          alone: new Latencies([...(before.get(request) ?? []), ...(again.get(request) ?? [])]),
          beside: besideOthers && new Latencies(besideOthers),
          attacked: new Latencies(others),
        };
      });
      process.stderr.write(`${toTable(measured, LIMITS)}\n`);
      rows.push(...measured);
      const slow = measured.filter((row) => row.attacked.quantile(LIMITS.share) > allowedMs(row, LIMITS));
      expect(slow.map(({ request }) => request)).toEqual([]);
      expect(Math.max(...measured.map(({ first }) => first))).toBeLessThan(MAX_FIRST_MS);
    },
    600_000,
  );
});

afterAll(() => {
  const isComplete =
    rows.length === testedBackends().length * attacks(SIZE).flatMap(({ victims }) => victims).length;
  if (runsInFull && testedBackends().length === 2 && isComplete)
    writeTable('fairness', toTable(rows, LIMITS));
});
