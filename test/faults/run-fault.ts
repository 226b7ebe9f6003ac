import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@portage/testing';
import { bookAccount } from './book-account';
import { brokenPromises } from './broken-promises';
import type { FaultEnvironment } from './fault-environment';
import { type FaultContext, countOf, type Fault, type Size } from './faults';
import { PostingClient } from './posting-client';

export interface Measured {
  fault: Fault;
  strikes: number;
  /** In all strikes together, of what the fault counts. */
  struck: number;
  posted: number;
  lost: number;
  doubled: number;
  recoveryMs: number;
  /** One line for each kind of finding in the database. */
  brokenPromises: string[];
}

/** The part of the book that is posted after the last strike: what is new is taken then, too. */
const REST = 0.1;
/** The part of a portion that is answered when its strike falls. */
const FIRST = 0.1;

let serial = 0;

/**
 * Posts a book while the fault strikes, waits for the end of every process, and looks what is in the database. A
 * portion of the book belongs to each strike, which falls when the first of the portion has been answered.
 *
 * @throws Error when a strike met no work, or when the accounts have not come to their end in time
 */
export async function runFault(fault: Fault, environment: FaultEnvironment, size: Size): Promise<Measured> {
  await environment.restore(fault.workers ?? 1);
  const numbers = Array.from({ length: size.accounts }, (_, index) => `${fault.key}-${index}`);
  const book = new Map(numbers.map((number) => [number, bookAccount(number, serial++)]));
  const client = new PostingClient(environment.portage, book);
  const context: FaultContext = { environment, client, size, pattern: `${fault.key}-%` };
  try {
    const posting = client.post();
    const { struck, endedAt } = await strike(fault, context);
    client.allow(size.accounts);
    await client.waitForAnswers(size.accounts);
    await posting;
    await fault.bringBack?.(context);
    await until(
      async () => (await countOf(context, 'PROCESSED')) >= client.accepted.size,
      size.recoveryMs,
      async () => `${await describeUnfinished(context)}; ${client.summary()}`,
    );
    return {
      ...{ fault, strikes: fault.strikes[size.name], struck, posted: size.accounts },
      ...(await outcome(context)),
      recoveryMs: (await lastProcessedAt(context)) - endedAt,
      brokenPromises: await brokenPromises(environment.portage, context.pattern),
    };
  } finally {
    client.stop();
  }
}

async function strike(fault: Fault, context: FaultContext): Promise<{ struck: number; endedAt: number }> {
  const { client, size } = context;
  const strikes = fault.strikes[size.name];
  const portion = (size.accounts * (1 - REST)) / strikes;
  let struck = 0;
  let endedAt = 0;
  for (let past = 0; past < strikes; past += 1) {
    client.allow(portion * (past + 1));
    await client.waitForAnswers(portion * (past + FIRST));
    if (client.answered >= portion * (past + 1))
      throw new Error(`Nothing was being posted when the fault struck; ${client.summary()}.`);
    struck += await fault.strike(context);
    endedAt = Date.now();
    if (past + 1 < strikes) await sleep(size.pauseMs);
  }
  if (struck === 0) throw new Error(`The fault struck ${strikes} times and met no ${fault.struck}.`);
  return { struck, endedAt };
}

/** Accepted accounts that are not there, and accounts or ends of processes that are there too often. */
async function outcome({
  environment,
  client,
  pattern,
}: FaultContext): Promise<{ lost: number; doubled: number }> {
  const rows = await environment.portage.sql<{ number: string; accounts: number; ends: number }>(
    `SELECT process.external_account_number AS number,
       (SELECT count(*)::int FROM account WHERE account.supplier_id = process.supplier_id
         AND account.external_account_number = process.external_account_number) AS accounts,
       (SELECT count(*)::int FROM import_process_event event
         WHERE event.process_id = process.id AND event.event = 'PROCESSED') AS ends
     FROM import_process process WHERE process.external_account_number LIKE $1`,
    [pattern],
  );
  const there = new Set(rows.filter(({ accounts }) => accounts > 0).map(({ number }) => number));
  return {
    lost: [...client.accepted].filter((number) => !there.has(number)).length,
    doubled: rows.filter(({ accounts, ends }) => accounts > 1 || ends > 1).length,
  };
}

async function lastProcessedAt({ environment, pattern }: FaultContext): Promise<number> {
  const [row] = await environment.portage.sql<{ at: Date }>(
    `SELECT max(event.occurred_at) AS at FROM import_process_event event
     JOIN import_process process ON process.id = event.process_id
     WHERE event.event = 'PROCESSED' AND process.external_account_number LIKE $1`,
    [pattern],
  );
  return row!.at.getTime();
}

async function describeUnfinished({ environment, pattern }: FaultContext): Promise<string> {
  const rows = await environment.portage.sql(
    `SELECT status, error_code, attempt, count(*)::int AS count, min(external_account_number) AS example,
       round(extract(epoch FROM now() - max(enqueued_at)))::int AS newest_enqueued_seconds_ago
     FROM import_process WHERE external_account_number LIKE $1 GROUP BY status, error_code, attempt ORDER BY 1, 2, 3`,
    [pattern],
  );
  const logs = environment.workers.map((worker) => worker.logTail());
  return `found ${rows.map((row) => JSON.stringify(row)).join(', ')}\n${logs.join('\n')}\n`;
}
