import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@portage/testing';
import { bookAccount } from './book-account';
import type { BookClient } from './book-client';
import type { FaultEnvironment } from './fault-environment';
import { countOf, type Fault, type FaultContext, type Size } from './faults';
import { findViolations } from './violations';

export interface Measurement {
  fault: Pick<Fault, 'key' | 'title' | 'affected'>;
  injections: number;
  /** The affected work of all injections, in the fault's own unit. */
  affectedCount: number;
  posted: number;
  lost: number;
  doubled: number;
  recoveryMs: number;
  /** One line for each kind of violation in the database, and for each difference that the service shows. */
  violations: string[];
}

/** The share of the book that is sent after the last injection, to show that new accounts are accepted. */
const REST_SHARE = 0.1;
/** The share of a portion that is answered before the fault is injected. */
const FIRST_SHARE = 0.1;

let serial = 0;

/** The numbers and bodies of a new book. */
export function createBook(key: string, accounts: number): Map<string, string> {
  const numbers = Array.from({ length: accounts }, (_, index) => `${key}-${index}`);
  return new Map(numbers.map((number) => [number, bookAccount(number, serial++)]));
}

/**
 * Sends a book while the fault is injected, waits until every process has ended, and checks the database. Each injection
 * has a portion of the book, and takes place once the first share of the portion has been answered.
 *
 * @throws Error if the injections affected no work, or if the accounts are not imported within the timeout
 */
export async function runFault<Client extends BookClient>(
  fault: Fault<Client>,
  environment: FaultEnvironment,
  size: Size,
  createClient: (book: ReadonlyMap<string, string>) => Client,
): Promise<Measurement> {
  await environment.restore(fault.workers ?? 1);
  const client = createClient(createBook(fault.key, size.accounts));
  const context: FaultContext<Client> = { environment, client, size, pattern: `${fault.key}-%` };
  try {
    const sending = client.send();
    const { affectedCount, endedAt } = await injectAll(fault, context);
    client.allow(size.accounts);
    await client.waitForAnswers(size.accounts);
    await sending;
    await fault.recover?.(context);
    await until(
      async () => (await countOf(context, 'PROCESSED')) >= client.accepted.size,
      size.recoveryTimeoutMs,
      async () => `${await describeUnfinished(context)}; ${client.summary()}`,
    );
    return {
      fault,
      injections: fault.injections[size.name],
      affectedCount,
      posted: size.accounts,
      ...(await countLostAndDoubled(context)),
      recoveryMs: (await lastProcessedAt(context)) - endedAt,
      violations: [
        ...(await findViolations(environment.portage, context.pattern)),
        ...(await client.findDifferences()),
      ],
    };
  } finally {
    client.stop();
  }
}

async function injectAll<Client extends BookClient>(
  fault: Fault<Client>,
  context: FaultContext<Client>,
): Promise<{ affectedCount: number; endedAt: number }> {
  const { client, size } = context;
  const injections = fault.injections[size.name];
  const portion = (size.accounts * (1 - REST_SHARE)) / injections;
  let affectedCount = 0;
  let endedAt = 0;
  for (let index = 0; index < injections; index += 1) {
    client.allow(portion * (index + 1));
    await client.waitForAnswers(portion * (index + FIRST_SHARE));
    if (client.answered >= portion * (index + 1))
      throw new Error(
        `All accounts of the portion were answered before the fault was injected; ${client.summary()}.`,
      );
    affectedCount += await fault.inject(context);
    endedAt = Date.now();
    if (index + 1 < injections) await sleep(size.pauseMs);
  }
  if (affectedCount === 0)
    throw new Error(`The fault was injected ${injections} times and affected no ${fault.affected}.`);
  return { affectedCount, endedAt };
}

/** Counts accepted accounts that do not exist, and those with more than one account or PROCESSED event. */
async function countLostAndDoubled({
  environment,
  client,
  pattern,
}: FaultContext<BookClient>): Promise<{ lost: number; doubled: number }> {
  const rows = await environment.portage.sql<{ number: string; accounts: number; ends: number }>(
    `SELECT process.external_account_number AS number,
       (SELECT count(*)::int FROM account WHERE account.supplier_id = process.supplier_id
         AND account.external_account_number = process.external_account_number) AS accounts,
       (SELECT count(*)::int FROM import_process_event event
         WHERE event.process_id = process.id AND event.event = 'PROCESSED') AS ends
     FROM import_process process WHERE process.external_account_number LIKE $1`,
    [pattern],
  );
  const existing = new Set(rows.filter(({ accounts }) => accounts > 0).map(({ number }) => number));
  return {
    lost: [...client.accepted].filter((number) => !existing.has(number)).length,
    doubled: rows.filter(({ accounts, ends }) => accounts > 1 || ends > 1).length,
  };
}

async function lastProcessedAt({ environment, pattern }: FaultContext<BookClient>): Promise<number> {
  const [row] = await environment.portage.sql<{ at: Date }>(
    `SELECT max(event.occurred_at) AS at FROM import_process_event event
     JOIN import_process process ON process.id = event.process_id
     WHERE event.event = 'PROCESSED' AND process.external_account_number LIKE $1`,
    [pattern],
  );
  return row!.at.getTime();
}

async function describeUnfinished({ environment, pattern }: FaultContext<BookClient>): Promise<string> {
  const rows = await environment.portage.sql(
    `SELECT status, error_code, attempt, count(*)::int AS count, min(external_account_number) AS example,
       round(extract(epoch FROM now() - max(enqueued_at)))::int AS newest_enqueued_seconds_ago
     FROM import_process WHERE external_account_number LIKE $1 GROUP BY status, error_code, attempt ORDER BY 1, 2, 3`,
    [pattern],
  );
  const logs = environment.workers.map((worker) => worker.logTail());
  return `found ${rows.map((row) => JSON.stringify(row)).join(', ')}\n${logs.join('\n')}\n`;
}
