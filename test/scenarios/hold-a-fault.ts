import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, InstallationNeeds } from '@portage/testing/installation';
import { check, Clients, lastProcessedAt, Submission } from '@portage/testing/promises';
import { SMALL_MEASURES, smallBook } from './book';
import { Probes } from './probes';
import { type Scenario, type ScenarioRun, seconds } from './scenario';

/** From the fault to the last slow or failed answer, and from the heal to the last account. */
const GOALS = { answersAfterMs: 22_000, endedAfterMs: 60_000 };
const END_TIMEOUT_MS = 90_000;
const LINES = 40;
const IDLE_CHECK_MS = 20_000;
const KEY = 'held';
/** The programs that faults of some of them strike. */
export const STRUCK: readonly string[] = ['api-1', 'worker-1'];

/**
 * A fault that holds for a while, under a steady load of clients who follow every account, at two API instances and two
 * workers with all settings at their defaults. All proxies and Redis are healed afterwards.
 */
export interface HeldFault extends Pick<Scenario, 'title' | 'minutes' | 'backends' | 'missing'> {
  needs?: Partial<InstallationNeeds>;
  perSecond: number;
  /** Seconds of load before the fault, under it, and after its heal. */
  seconds: readonly [before: number, during: number, after: number];
  /** The seconds after which the schedule window of every account opens. */
  windowSeconds?: number;
  /** True if instances cannot answer under the fault, because it affects new connections too. */
  affectsNewConnections?: true;
  /** Begins the fault. @returns the number of connections or programs that it affects; zero fails the run */
  strike(installation: Installation, run: ScenarioRun): number | Promise<number>;
}

/** The scenario of a fault that holds. */
export function holdAFault(fault: HeldFault): Scenario {
  return {
    ...fault,
    run: async (run) => {
      const needs = { postgres: {}, apis: 2, workers: 2, proxies: run.random, ...fault.needs };
      const installation = await run.install({ waits: 'default', env: { LOG_LEVEL: 'info' }, ...needs });
      const clients = new Clients(installation, run);
      const probes = new Probes(installation, clients, `${KEY}-0`);
      // After an error they would go on at programs that are gone.
      run.atEnd(async () => {
        clients.stop();
        await probes.stop();
      });
      const [before, during, after] = fault.seconds;
      const count = Math.round(fault.perSecond * (before + during + after));
      const opened = { reference: KEY, book: smallBook(`${KEY}-line`, LINES), measures: SMALL_MEASURES };
      const submission = await Submission.open(installation, clients, opened);
      const sending = clients.postAtRate(smallBook(KEY, count), fault.perSecond, fault.windowSeconds);
      await sleep(before * 1_000);
      clients.add(submission.send());
      probes.start();
      await sleep(50);
      const faultAt = performance.now();
      const connections = await fault.strike(installation, run);
      const idle = sleep(Math.min(IDLE_CHECK_MS, during * 1_000)).then(async () => countIdle(installation));
      await sleep(during * 1_000);
      const idleTransactions = await idle;
      const healed = { at: Date.now(), onClock: performance.now() };
      for (const proxy of installation.proxies()) proxy.heal();
      installation.servers.redis?.resume();
      await sending;
      const isFinished = await clients.finish(END_TIMEOUT_MS - after * 1_000);
      await probes.stop();
      const { calls, accepted, lost, doubled, violations } = await check(installation, KEY, [clients]);
      const differences = [...violations, ...(await submission.findDifferences())];
      const settled = probes.settle(faultAt, healed.onClock);
      const endedAfterMs = Math.max(0, (await lastProcessedAt(installation, KEY)) - healed.at);
      const stops = await installation.stopPrograms();
      run.say(
        `${connections} connections, ${calls} calls, ${accepted} accepted, answers after ` +
          `${Object.entries(settled.byProgram)
            .map(([name, ms]) => `${name} ${seconds(ms)}`)
            .join(', ')}; ended after ${seconds(endedAfterMs)}, ` +
          `stopped ${stops.map(({ name, status, milliseconds }) => `${name} ${status} ${seconds(milliseconds)}`).join(', ')}`,
      );
      expect(differences).toEqual([]);
      expect({ lost, doubled, isFinished, idleTransactions }).toEqual({
        lost: 0,
        doubled: 0,
        isFinished: true,
        idleTransactions: 0,
      });
      expect(connections).toBeGreaterThan(0);
      expect(stops.filter(({ status }) => status !== 0)).toEqual([]);
      expect(endedAfterMs).toBeLessThan(GOALS.endedAfterMs);
      if (!fault.affectsNewConnections && settled.afterMs >= GOALS.answersAfterMs)
        throw new Error(
          `Slow or failed answers after ${seconds(settled.afterMs)}:\n${settled.last.join('\n')}`,
        );
      return {
        affected: connections,
        calls,
        accounts: accepted,
        lost,
        doubled,
        violations: 0,
        'all answer well after': fault.affectsNewConnections ? '' : seconds(settled.afterMs),
        'last account after the heal': seconds(endedAfterMs),
      };
    },
  };
}

/** Transactions that have been idle for ten seconds. */
async function countIdle(installation: Installation): Promise<number> {
  return installation.countRows(
    `pg_stat_activity WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '10 seconds'`,
  );
}
