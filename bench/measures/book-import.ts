import { deepStrictEqual } from 'node:assert';
import { type Book, typicalBook } from '../book';
import type { Backend, Installation } from '../environment/installation';
import type { Program } from '../environment/program';
import type { ProcessorTimes, RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { countWrittenRows } from '../environment/row-counts';
import { type LoadRequest, type LoadResult, requireStatus } from '../load';
import type { Bench } from './measure';
import { packBook, uploadBook } from './upload';

/** The number of concurrent connections of a supplier's importer. */
export const CONNECTIONS = 32;

export interface ImportedBook {
  readonly accountsPerSecond: number;
  /** The POSTs, sent while the worker imports; undefined for a submission. */
  readonly posts: LoadResult | undefined;
  /** Milliseconds of CPU time per account. */
  readonly times: ProcessorTimes;
  /** Mean number of accounts of a job. Yardsticks have one job an account. */
  readonly accountsPerJob: number;
  /** Bytes of the write-ahead log per account, and by which all tables with their indexes have grown. */
  readonly bytes: { readonly log: number; readonly tables: number };
}

/** How a book is sent: an account a request, or as one submission. */
export type Way = 'posts' | 'submission';

/** The accounts of a measured import, and those of the warm-up. */
export interface Load {
  readonly book: Book;
  /** The first accounts of a process are slower, which does not matter in a book of millions. */
  readonly warmUp: Book;
  /** The accounts that warm up the upload of a submission. */
  readonly secondWarmUp: Book;
}

/**
 * Accounts that a worker imports before a measured book. V8 still compiles code of a worker that has imported 2,000, and
 * a worker in production has imported more.
 */
export const WARM_UP_OF_WORKER = 6_000;

/**
 * @param workers the workers that share the warm-up, each of which needs as many accounts
 * @param warmUpOfWorker the accounts with which one worker warms up
 */
export function createLoad(
  accounts: number,
  workers = 1,
  warmUpOfWorker = Math.min(2_000, Math.max(50, Math.round(accounts * 0.4))),
): Load {
  const warmUp = workers * warmUpOfWorker;
  return {
    book: typicalBook(accounts, SUPPLIER),
    warmUp: typicalBook(warmUp, SUPPLIER, 2),
    secondWarmUp: typicalBook(Math.round(warmUp / 2), SUPPLIER, 3),
  };
}

/** The accounts between two positions in the book: 0 is its start, 1 its end. */
export function sliceOfBook(book: Book, from: number, to: number): Book {
  const place = (share: number) => Math.round(share * book.payloads.length);
  return { ...book, payloads: book.payloads.slice(place(from), place(to)) };
}

/** Describes the load for the page of results. */
export function describeLoad({ book, warmUp }: Load): string {
  const bytes = Math.round(book.meanBytes).toLocaleString('en');
  return `${book.payloads.length.toLocaleString('en')} accounts of ${bytes} bytes on average, after ${warmUp.payloads.length} warm-up accounts`;
}

/** Runs beside an import, until it is stopped. */
type Beside = (running: RunningProgram) => { stop: () => Promise<void> };

/** Imports a book into an empty database, and measures from the first byte sent to the last created account. */
export async function importBook(
  bench: Bench,
  program: Program,
  {
    backend,
    workers = 1,
    way = 'posts',
    load,
    beside,
  }: { backend: Backend; workers?: number; way?: Way; load: Load; beside?: Beside },
): Promise<ImportedBook> {
  const installation = await bench.servers.installation(backend);
  try {
    const running = await installation.start(program, workers);
    let before = await warmUp(installation, running, load.warmUp);
    const packed = way === 'submission' ? packBook(load.book) : undefined;
    if (packed) {
      await uploadBook(running, packBook(load.secondWarmUp), 'warm-up');
      before += load.secondWarmUp.payloads.length;
      await installation.allProcessed(before);
    }
    const accounts = load.book.payloads.length;
    const bytesBefore = await storedBytes(installation);
    const [last] = await installation.sql<{ id: string }>(
      'SELECT coalesce(max(id), 0) AS id FROM import_process',
    );
    const other = beside?.(running);
    const started = running.processorTimes();
    const start = performance.now();
    const posts = packed ? undefined : await postBook(running, load.book);
    if (packed) await uploadBook(running, packed, 'book');
    await installation.allFinished();
    const seconds = (performance.now() - start) / 1_000;
    await other?.stop();
    const times = mapTimes(running.processorTimes(), (part, time) => (time - started[part]) / accounts);
    await installation.allProcessed(before + accounts);
    const bytesAfter = await storedBytes(installation);
    const [jobs] = await installation.sql<{ size: number }>(
      'SELECT count(*)::float8 / count(DISTINCT coalesce(batch_id, -id)) AS size FROM import_process WHERE id > $1',
      [last?.id],
    );
    return {
      ...{ accountsPerSecond: accounts / seconds, posts, times, accountsPerJob: jobs?.size ?? NaN },
      bytes: {
        log: (bytesAfter.log - bytesBefore.log) / accounts,
        tables: (bytesAfter.tables - bytesBefore.tables) / accounts,
      },
    };
  } finally {
    await installation.close();
  }
}

/** The position in the write-ahead log of the server, and the size of all tables with their indexes, in bytes. */
async function storedBytes(installation: Installation): Promise<{ log: number; tables: number }> {
  const [row] = await installation.sql<{ log: string; tables: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS log,
       (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS tables`,
  );
  return { log: Number(row?.log), tables: Number(row?.tables) };
}

/** Posts all accounts of a book. @throws Error if any is refused */
export async function postBook(
  running: RunningProgram,
  book: Book,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  return requireStatus(201, await running.load(connections).send(bookRequests(book)));
}

export function bookRequests({ payloads }: Book): LoadRequest[] {
  return payloads.map((body) => ({ method: 'POST', path: '/v2/data-import/accounts/', body }));
}

let expectedRows: Record<string, number> | undefined;

/**
 * Imports the warm-up accounts, and checks that every contender writes the same number of rows for them: a program that
 * writes less is not comparable.
 *
 * @returns the number of accounts in the database
 */
export async function warmUp(
  installation: Installation,
  running: RunningProgram,
  book: Book,
): Promise<number> {
  await postBook(running, book);
  const count = book.payloads.length;
  await installation.allProcessed(count);
  const rows = await countWrittenRows(installation);
  if (expectedRows?.['account'] !== count) expectedRows = rows;
  deepStrictEqual(rows, expectedRows, `${running.program.name} does not write the same number of rows.`);
  return count;
}

function mapTimes(
  times: ProcessorTimes,
  convert: (part: keyof ProcessorTimes, time: number) => number,
): ProcessorTimes {
  const parts = Object.entries(times) as [keyof ProcessorTimes, number][];
  return Object.fromEntries(
    parts.map(([part, time]) => [part, convert(part, time)]),
  ) as unknown as ProcessorTimes;
}
