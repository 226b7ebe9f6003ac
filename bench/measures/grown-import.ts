import { createHash } from 'node:crypto';
import { type Book, typicalBook } from '../book';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import { SUPPLIER } from '../environment/servers';
import { formatFigure } from '../results';
import type { Latencies } from '../statistics';
import { StoredAccounts } from '../stored/accounts';
import { postBook } from './book-import';
import type { Bench } from './measure';

/** Number of accounts that Portage imports and that are copied then. */
const SEEDS = { accounts: 1_000, whenQuick: 100 };

export interface GrowthResult {
  readonly accountsPerSecond: number;
  readonly latency: Latencies;
  /** Milliseconds of CPU time of PostgreSQL per account. */
  readonly postgres: number;
}

/** One book in parts, because an account cannot be imported twice into the same database. */
export interface Books {
  readonly seeds: Book;
  readonly rounds: readonly { readonly warmUp: Book; readonly book: Book }[];
}

export function createBooks({ accounts, isQuick }: Bench, rounds: number): Books {
  const seeds = isQuick ? SEEDS.whenQuick : SEEDS.accounts;
  const warmUp = Math.ceil(accounts / 10);
  const whole = withScatteredNumbers(typicalBook(seeds + rounds * (warmUp + accounts), SUPPLIER));
  let offset = 0;
  const next = (count: number) => ({ ...whole, payloads: whole.payloads.slice(offset, (offset += count)) });
  return {
    seeds: next(seeds),
    rounds: Array.from({ length: rounds }, () => ({ warmUp: next(warmUp), book: next(accounts) })),
  };
}

/** Imports a few accounts and copies them up to the given number. */
export async function storeAccounts(
  bench: Bench,
  installation: Installation,
  { seeds }: Books,
  size: number,
): Promise<void> {
  const start = performance.now();
  const running = await installation.start(portage, 1);
  await postBook(running, seeds);
  await installation.allProcessed(seeds.payloads.length);
  await running.stop();
  const stored = await StoredAccounts.from(installation);
  await stored.add(size - seeds.payloads.length, bench.log);
  bench.log(
    `stored ${formatFigure(size)} accounts in ${formatFigure((performance.now() - start) / 1_000)} s`,
  );
}

/** Imports the book of a round into a database with or without existing accounts. */
export async function importIntoExisting(
  bench: Bench,
  installation: Installation,
  { warmUp, book }: Books['rounds'][number],
): Promise<GrowthResult> {
  await disableAutovacuum(installation);
  await bench.servers.settle();
  const [stored] = await installation.sql<{ count: number }>(
    'SELECT count(*)::integer AS count FROM import_process',
  );
  const running = await installation.start(portage, 1);
  try {
    await postBook(running, warmUp);
    await installation.allFinished();
    const before = running.processorTimes().postgres;
    const start = performance.now();
    const { latency } = await postBook(running, book);
    await installation.allFinished();
    const seconds = (performance.now() - start) / 1_000;
    const accounts = book.payloads.length;
    const postgres = (running.processorTimes().postgres - before) / accounts;
    await installation.allProcessed((stored?.count ?? NaN) + warmUp.payloads.length + accounts);
    return { accountsPerSecond: accounts / seconds, latency, postgres };
  } finally {
    await running.stop();
  }
}

/** Replaces consecutive account numbers by random ones. */
function withScatteredNumbers(book: Book): Book {
  const hashedNumber = (name: string) =>
    `${SUPPLIER}-${createHash('md5').update(name).digest('hex').slice(0, 16)}`;
  const number = new RegExp(`${SUPPLIER}-\\d+-\\d+`, 'g');
  return {
    ...book,
    payloads: book.payloads.map((payload) => Buffer.from(payload.toString().replace(number, hashedNumber))),
  };
}

/** Otherwise autovacuum would start during the measurement. */
async function disableAutovacuum(installation: Installation): Promise<void> {
  await installation.sql(`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE public.%I SET (autovacuum_enabled = off)', name);
      END LOOP;
    END $$`);
}
