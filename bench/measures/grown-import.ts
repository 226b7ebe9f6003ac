import { createHash } from 'node:crypto';
import { type Book, typicalBook } from '../book';
import type { Installation } from '../environment/installation';
import { portage } from '../environment/program';
import { SUPPLIER } from '../environment/servers';
import { figure } from '../results';
import type { Latencies } from '../statistics';
import { StoredAccounts } from '../stored/accounts';
import { post } from './book-import';
import type { Bench } from './measure';

/** Imported by Portage, to be multiplied. */
const SEEDS = { accounts: 1_000, whenQuick: 100 };

export interface GrownImport {
  readonly accountsPerSecond: number;
  readonly latency: Latencies;
  /** Milliseconds of PostgreSQL's processor time an account. */
  readonly postgres: number;
}

/** One book in parts, for no account can be imported twice into the same database. */
export interface Books {
  readonly seeds: Book;
  readonly rounds: readonly { readonly warmUp: Book; readonly book: Book }[];
}

export function booksFor({ accounts, isQuick }: Bench, rounds: number): Books {
  const seeds = isQuick ? SEEDS.whenQuick : SEEDS.accounts;
  const warmUp = Math.ceil(accounts / 10);
  const whole = strewn(typicalBook(seeds + rounds * (warmUp + accounts), SUPPLIER));
  let taken = 0;
  const next = (count: number) => ({ ...whole, payloads: whole.payloads.slice(taken, (taken += count)) });
  return {
    seeds: next(seeds),
    rounds: Array.from({ length: rounds }, () => ({ warmUp: next(warmUp), book: next(accounts) })),
  };
}

/** Imports a few accounts and multiplies them, until there are so many. */
export async function store(
  bench: Bench,
  installation: Installation,
  { seeds }: Books,
  size: number,
): Promise<void> {
  const start = performance.now();
  const running = await installation.start(portage, 1);
  await post(running, seeds);
  await installation.allProcessed(seeds.payloads.length);
  await running.stop();
  const stored = await StoredAccounts.from(installation);
  await stored.add(size - seeds.payloads.length, bench.say);
  bench.say(`stored ${figure(size)} accounts in ${figure((performance.now() - start) / 1_000)} s`);
}

/** Imports the book of a round, beside whatever is there. */
export async function importBeside(
  bench: Bench,
  installation: Installation,
  { warmUp, book }: Books['rounds'][number],
): Promise<GrownImport> {
  await withoutAutovacuum(installation);
  await bench.servers.settle();
  const [stored] = await installation.sql<{ count: number }>(
    'SELECT count(*)::integer AS count FROM import_process',
  );
  const running = await installation.start(portage, 1);
  try {
    await post(running, warmUp);
    await installation.allFinished();
    const before = running.processorTimes().postgres;
    const start = performance.now();
    const { latency } = await post(running, book);
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

/** Account numbers as if they came from anywhere, rather than one after the other. */
function strewn(book: Book): Book {
  const hashed = (name: string) => `${SUPPLIER}-${createHash('md5').update(name).digest('hex').slice(0, 16)}`;
  const number = new RegExp(`${SUPPLIER}-\\d+-\\d+`, 'g');
  return {
    ...book,
    payloads: book.payloads.map((payload) => Buffer.from(payload.toString().replace(number, hashed))),
  };
}

/** Otherwise it would begin in the middle, for so much has been stored. */
async function withoutAutovacuum(installation: Installation): Promise<void> {
  await installation.sql(`
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('ALTER TABLE public.%I SET (autovacuum_enabled = off)', name);
      END LOOP;
    END $$`);
}
