import { setTimeout as sleep } from 'node:timers/promises';
import { SandboxVendors } from '@portage/local-environment';
import type { Figures, Scenario, ScenarioRun } from '../scenario';
import { type Attack, ATTACKED_ACCOUNTS, attacks } from './attacks';
import { Flood } from './flood';
import { allowedMs, figuresOf, Latencies, type LatencyLimits, measure, type Row } from './latencies';
import { Tenant } from './tenant';
import { type RequestName, Victim } from './victim';

const SIZES = {
  full: {
    attack: { transactions: 10_000, instructionConnections: 700, documents: 50_000, additions: 20_000 },
    samples: { samples: 200, minMs: 1_000 },
    /** Time for an attack to reach its full strength. */
    warmUpMs: 3_000,
  },
  short: {
    attack: { transactions: 2_000, instructionConnections: 200, documents: 5_000, additions: 1_000 },
    samples: { samples: 20, minMs: 0 },
    warmUpMs: 1_000,
  },
};
/** The first requests of a kind open connections and prepare statements. */
const WARM_UP = { samples: 5, minMs: 0 };

/**
 * Beside an attacked installation the victim has processes of its own and shares the machine only. On the same
 * installation it has an equal share of one API and one worker, so it may take twice as long. No client notices 15 ms:
 * the slowest of a hundred reads of half a millisecond are decided by one pause of a garbage collector.
 *
 * The short form has no second installation, and few samples. So it has a lower limit in milliseconds, because the
 * scheduling of a busy machine takes as long at times.
 */
const LIMITS: Readonly<Record<ScenarioRun['size'], LatencyLimits>> = {
  full: { share: 0.99, timesAlone: 3, timesBeside: 2, fastMs: 15 },
  short: { share: 0.9, timesAlone: 3, timesBeside: 0, fastMs: 300 },
};

/** The first request while the attacker has the limits of a supplier that is alone. */
const MAX_FIRST_MS = 1_000;
/** A victim sends a request this often, so that it counts as active without a load of its own. */
const COMPANION_PAUSE_MS = 500;

export default {
  title: 'one supplier that floods the service does not slow the requests of another',
  minutes: 12,
  isShort: true,
  page: 'security.md',
  table: 'fairness',
  run: async (run) => {
    const { attack: attackSize } = SIZES[run.size];
    const limits = LIMITS[run.size];
    const fairness = await Fairness.start(run);
    const figures: Figures[] = [];
    const slow: string[] = [];
    for (const attack of attacks(attackSize)) {
      if (run.size === 'short' && !attack.isShort) continue;
      for (const row of await fairness.measure(attack)) {
        const what = `${row.request}: ${attack.title}`;
        if (row.attacked.quantile(limits.share) > allowedMs(row, limits)) slow.push(what);
        if (row.first >= MAX_FIRST_MS) slow.push(`the first ${what}`);
        figures.push(figuresOf(row, limits));
        run.say(JSON.stringify(figures.at(-1)));
      }
    }
    expect(slow).toEqual([]);
    return figures;
  },
} satisfies Scenario;

/** Latencies by the kind of request. */
type Measured = Map<RequestName, number[]>;

/** An installation with a supplier that attacks, and with its victim. */
interface Attacked {
  attacker: Tenant;
  victim: Victim;
  stop(): Promise<void>;
}

class Fairness {
  private constructor(
    private readonly size: ScenarioRun['size'],
    private readonly shared: Attacked,
    /** On the same machine, with servers and programs of its own. */
    private separate: Attacked | undefined,
  ) {}

  static async start(run: ScenarioRun): Promise<Fairness> {
    const sandbox = await SandboxVendors.start();
    run.atEnd(async () => sandbox.stop());
    const shared = await startAttacked(run, sandbox.settings);
    const separate = run.size === 'full' ? await startAttacked(run, sandbox.settings) : undefined;
    return new Fairness(run.size, shared, separate);
  }

  /** Measures the victim alone and under the attack. */
  async measure(attack: Attack): Promise<Row[]> {
    const before = await this.measureAlone(attack);
    const beside = await this.measureBeside(attack);
    // Twice, because other programs on the machine may be busier now than before.
    const between = attack.leavesWork ? await this.measureAlone(attack) : undefined;
    const attacked = await this.measureAttacked(this.shared, attack);
    const again = between ?? (await this.measureAlone(attack));
    return attack.victims.map((request): Row => {
      const [first = NaN, ...others] = attacked.get(request) ?? [];
      const besideOthers = beside?.get(request)?.slice(1);
      return {
        attack: attack.title,
        request,
        first,
        alone: new Latencies([...(before.get(request) ?? []), ...(again.get(request) ?? [])]),
        beside: besideOthers && new Latencies(besideOthers),
        attacked: new Latencies(others),
      };
    });
  }

  private async measureAlone({ victims }: Attack): Promise<Measured> {
    const { requests } = this.shared.victim;
    const measured: Measured = new Map();
    for (const name of victims) {
      await measure(WARM_UP, requests[name]);
      measured.set(name, await measure(SIZES[this.size].samples, requests[name]));
    }
    return measured;
  }

  /** Attacks an installation, and measures the victim of the shared one. The first latency of each kind is the first. */
  private async measureAttacked({ attacker, victim }: Attacked, attack: Attack): Promise<Measured> {
    const { requests } = this.shared.victim;
    const flood = await Flood.start(attacker, attack, await attack.requests(attacker));
    const measured: Measured = new Map();
    try {
      await sleep(SIZES[this.size].warmUpMs);
      for (const name of attack.victims)
        measured.set(name, [
          ...(await measure({ samples: 1, minMs: 0 }, requests[name])),
          ...(await measure(SIZES[this.size].samples, requests[name])),
        ]);
    } finally {
      process.stderr.write(`${attack.title}: ${JSON.stringify(await flood.stop())}\n`);
    }
    await victim.waitUntilIdle();
    return measured;
  }

  /** What the victim loses during the same attack on another installation is due to the machine. */
  private async measureBeside(attack: Attack): Promise<Measured | undefined> {
    const { separate } = this;
    if (!separate) return undefined;
    const ended = new AbortController();
    const company = keepCompany(separate.victim, SIZES[this.size].warmUpMs, ended.signal);
    const measured = await this.measureAttacked(separate, attack);
    ended.abort();
    await company;
    if (attack.leavesWork) {
      await separate.stop();
      this.separate = undefined;
    }
    return measured;
  }
}

async function startAttacked(run: ScenarioRun, env: NodeJS.ProcessEnv): Promise<Attacked> {
  const installation = await run.install({ postgres: {}, waits: 'default', env });
  const attacker = await Tenant.join(installation, 'attacker');
  const other = await Tenant.join(installation, 'victim');
  await attacker.importAccounts(ATTACKED_ACCOUNTS);
  const victim = await Victim.start(other);
  run.atEnd(async () => {
    await victim.stop();
    for (const tenant of [attacker, other]) await tenant.leave();
  });
  const stop = async () => {
    await installation.stopPrograms();
  };
  return { attacker, victim, stop };
}

/** Keeps a victim active from `delayMs` on, so that the limits of the attacker are those beside a victim. */
async function keepCompany(victim: Victim, delayMs: number, signal: AbortSignal): Promise<void> {
  const pause = async (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  await pause(delayMs);
  while (!signal.aborted) {
    await victim.requests['status read']();
    await pause(COMPANION_PAUSE_MS);
  }
}
