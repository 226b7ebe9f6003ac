import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation, InstallationNeeds } from '@portage/testing/installation';
import {
  check,
  Clients,
  lastProcessedAt,
  Submission,
  untilProcessed,
  type Verdict,
  WebhookSubscription,
} from '@portage/testing/promises';
import { wholeBook, WHOLE_MEASURES } from './book';
import { type Scenario, type ScenarioRun, seconds } from './scenario';

/** The size of a run and its durations. */
export interface Size {
  accounts: number;
  /** Pause between the end of one strike and the next one. */
  pauseMs: number;
  /** Time for which a fault keeps Redis unavailable. */
  outageMs: number;
  /** Timeout for the import of all accounts after the last strike. */
  recoveryTimeoutMs: number;
}

const SIZES: Readonly<Record<ScenarioRun['size'], Size>> = {
  short: { accounts: 300, pauseMs: 500, outageMs: 2_000, recoveryTimeoutMs: 40_000 },
  full: { accounts: 2_000, pauseMs: 2_000, outageMs: 10_000, recoveryTimeoutMs: 180_000 },
};
const CONNECTIONS = 32;
/** The share of the book that is sent after the last strike, to show that new accounts are accepted. */
const REST_SHARE = 0.1;
/** The share of a portion that is answered before the strike. */
const FIRST_SHARE = 0.1;
const KEY = 'book';

/** What a strike gets. */
export interface Struck {
  run: ScenarioRun;
  installation: Installation;
  clients: Clients;
  size: Size;
  /** Prefix of the external account numbers. */
  key: string;
  book: ReadonlyMap<string, object>;
  /** The accounts that are answered, or the lines that are stored. */
  answered(): number;
  /** With `by: 'upload'`. */
  submission: Submission | undefined;
  /** With `webhooks`. */
  webhooks: WebhookSubscription | undefined;
}

/** A fault that strikes while a supplier sends a book of whole accounts, each of which must be imported exactly once. */
interface StrikeABook extends Pick<Scenario, 'title' | 'minutes' | 'isShort' | 'backends'> {
  /** How the book is sent. Default: posts over 32 connections. */
  by?: 'upload';
  /** True if the supplier gets an event for each account, which must come in the order of the feed. */
  webhooks?: true;
  needs?: Partial<InstallationNeeds>;
  /** How often it strikes: once in the short form. */
  times: number;
  /** The kind of work that {@link strike} counts. A run that affects none fails. */
  affected: string;
  /** Codes of refusals that the fault causes. */
  refusals?: readonly string[];
  /** Strikes once, waits until the affected process runs again, and returns the amount of affected work. */
  strike(struck: Struck): Promise<number>;
  /** The operator's actions after the last strike. */
  recover?(struck: Struck): Promise<void>;
  /** What is done with the installation at the end, with the check that has found nothing. */
  afterwards?(struck: Struck, checkAgain: () => Promise<Verdict>): Promise<void>;
}

/**
 * The scenario of a fault that strikes while a book is sent. Each strike has a portion of the book, and comes once the first
 * share of the portion was answered.
 */
export function strikeABook(fault: StrikeABook): Scenario {
  return {
    ...fault,
    run: async (run) => {
      const size = SIZES[run.size];
      const times = run.size === 'short' ? 1 : fault.times;
      const struck = await start(fault, run, size);
      const { installation, clients } = struck;
      const sending = struck.submission?.send() ?? clients.post(struck.book, CONNECTIONS);
      const { affected, endedAt } = await strikeAll(fault, struck, times);
      clients.allow(size.accounts);
      await clients.waitForAnswers(size.accounts, struck.answered);
      await sending;
      await fault.recover?.(struck);
      await untilProcessed(
        installation,
        KEY,
        clients.accepted.size,
        async () => `${await describeUnfinished(struck)}; ${clients.summary()}`,
        size.recoveryTimeoutMs,
      );
      const recoveryMs = (await lastProcessedAt(installation, KEY)) - endedAt;
      const checkAll = async () =>
        check(installation, KEY, [clients], { haveOwnItems: true, refusals: fault.refusals ?? [] });
      const { accepted, lost, doubled, violations } = await checkAll();
      const differences = [
        ...violations,
        // A supplier with 32 connections stays below every limit.
        ...clients.calls
          .filter(({ operation, status }) => operation === 'schedule' && status === 429)
          .map(({ account, text }) => `${account}: 429 ${text ?? ''}`),
        ...((await struck.submission?.findDifferences()) ?? []),
        ...((await struck.webhooks?.findDifferences(KEY, size.accounts, times)) ?? []),
      ];
      run.say(`${times} times, ${affected} ${fault.affected}, ${clients.summary()}, ${seconds(recoveryMs)}`);
      expect(differences).toEqual([]);
      expect({ accepted, lost, doubled }).toEqual({ accepted: size.accounts, lost: 0, doubled: 0 });
      await fault.afterwards?.(struck, checkAll);
      return {
        times,
        affected: `${affected} ${fault.affected}`,
        sent: accepted,
        lost,
        doubled,
        'recovered after': seconds(recoveryMs),
      };
    },
  };
}

async function start(fault: StrikeABook, run: ScenarioRun, size: Size): Promise<Struck> {
  const installation = await run.install({
    postgres: {},
    waits: run.size === 'short' ? 'quick' : 'default',
    // The receiver of webhooks is on this machine.
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
    ...fault.needs,
  });
  const clients = new Clients(installation, { random: run.random, refusals: fault.refusals ?? [] });
  run.atEnd(() => {
    clients.stop();
  });
  clients.allow(0);
  const book = wholeBook(KEY, size.accounts);
  const webhooks = fault.webhooks && (await WebhookSubscription.open(installation));
  if (webhooks) run.atEnd(async () => webhooks.stop());
  let submission: Submission | undefined;
  if (fault.by === 'upload') {
    const opened = { reference: KEY, book, measures: WHOLE_MEASURES };
    submission = await Submission.open(installation, clients, opened);
    submission.watchCounts();
    run.atEnd(() => submission?.stop());
  }
  const answered = () => submission?.received ?? clients.answered;
  return { run, installation, clients, size, key: KEY, book, answered, submission, webhooks };
}

async function strikeAll(
  fault: StrikeABook,
  struck: Struck,
  times: number,
): Promise<{ affected: number; endedAt: number }> {
  const { clients, size, answered } = struck;
  const portion = (size.accounts * (1 - REST_SHARE)) / times;
  let affected = 0;
  let endedAt = 0;
  for (let index = 0; index < times; index += 1) {
    clients.allow(portion * (index + 1));
    await clients.waitForAnswers(portion * (index + FIRST_SHARE), answered);
    if (answered() >= portion * (index + 1))
      throw new Error(`All accounts of the portion were answered before the strike; ${clients.summary()}.`);
    affected += await fault.strike(struck);
    endedAt = Date.now();
    if (index + 1 < times) await sleep(size.pauseMs);
  }
  if (affected === 0) throw new Error(`It struck ${times} times and affected no ${fault.affected}.`);
  return { affected, endedAt };
}

async function describeUnfinished({ installation, key }: Struck): Promise<string> {
  const rows = await installation.sql(
    `SELECT status, error_code, attempt, count(*)::int AS count, min(external_account_number) AS example,
       round(extract(epoch FROM now() - max(enqueued_at)))::int AS newest_enqueued_seconds_ago
     FROM import_process WHERE external_account_number LIKE $1 GROUP BY status, error_code, attempt ORDER BY 1, 2, 3`,
    [`${key}-%`],
  );
  const logs = installation.workers.filter(({ isRunning }) => isRunning).map((worker) => worker.logTail());
  return `found ${rows.map((row) => JSON.stringify(row)).join(', ')}\n${logs.join('\n')}\n`;
}
