import { deepStrictEqual } from 'node:assert';
import { type Book, typicalBook } from '../book';
import type { Backend, Installation } from '../environment/installation';
import type { Program } from '../environment/program';
import type { ProcessorTimes, RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';
import { writtenRows } from '../environment/written-rows';
import { type LoadRequest, type LoadResult, onlyAnswered } from '../load';
import type { Bench } from './measure';

/** How many clients a supplier's importer is, where it is in a hurry. */
export const CONNECTIONS = 32;

export interface ImportedBook {
  readonly accountsPerSecond: number;
  /** While the worker is at work. */
  readonly posts: LoadResult;
  /** Milliseconds of processor time an account. */
  readonly times: ProcessorTimes;
}

/** Accounts to be imported, and others that come before them. */
export interface Load {
  readonly book: Book;
  /** What a process does for the first time takes longer, which a book of millions would not notice. */
  readonly warmUp: Book;
}

export function loadOf(accounts: number): Load {
  const warmUp = Math.min(2_000, Math.max(50, Math.round(accounts * 0.4)));
  return { book: typicalBook(accounts, SUPPLIER), warmUp: typicalBook(warmUp, SUPPLIER, 2) };
}

/** The accounts from one share of the book to another: 0 is its beginning, 1 its end. */
export function part(book: Book, from: number, to: number): Book {
  const place = (share: number) => Math.round(share * book.payloads.length);
  return { ...book, payloads: book.payloads.slice(place(from), place(to)) };
}

/** For the page of results. */
export function described({ book, warmUp }: Load): string {
  const bytes = Math.round(book.meanBytes).toLocaleString('en');
  return `${book.payloads.length.toLocaleString('en')} accounts of ${bytes} bytes on average, after ${warmUp.payloads.length} to warm up`;
}

/** Imports a book into an empty database: from the first POST until the last account is there. */
export async function importBook(
  bench: Bench,
  program: Program,
  { backend, workers = 1, load }: { backend: Backend; workers?: number; load: Load },
): Promise<ImportedBook> {
  const installation = await bench.servers.installation(backend);
  try {
    const running = await installation.start(program, workers);
    const before = await warmUp(installation, running, load.warmUp);
    const accounts = load.book.payloads.length;
    const started = running.processorTimes();
    const start = performance.now();
    const posts = await post(running, load.book);
    await installation.allProcessed(before + accounts);
    const seconds = (performance.now() - start) / 1_000;
    const times = each(running.processorTimes(), (part, time) => (time - started[part]) / accounts);
    return { accountsPerSecond: accounts / seconds, posts, times };
  } finally {
    await installation.close();
  }
}

/** @throws Error where any is refused */
export async function post(
  running: RunningProgram,
  book: Book,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  return onlyAnswered(201, await running.load(connections).send(requests(book)));
}

export function requests({ payloads }: Book): LoadRequest[] {
  return payloads.map((body) => ({ method: 'POST', path: '/v2/data-import/accounts/', body }));
}

let expectedRows: Record<string, number> | undefined;

/**
 * Imports a few accounts, and makes sure that every contender writes as many rows for them as the first one did: a
 * program that does less is no yardstick.
 *
 * @returns how many accounts there are now
 */
export async function warmUp(
  installation: Installation,
  running: RunningProgram,
  book: Book,
): Promise<number> {
  await post(running, book);
  const count = book.payloads.length;
  await installation.allProcessed(count);
  const rows = await writtenRows(installation);
  if (expectedRows?.['account'] !== count) expectedRows = rows;
  deepStrictEqual(rows, expectedRows, `${running.program.name} does not write the same rows.`);
  return count;
}

function each(
  times: ProcessorTimes,
  make: (part: keyof ProcessorTimes, time: number) => number,
): ProcessorTimes {
  const parts = Object.entries(times) as [keyof ProcessorTimes, number][];
  return Object.fromEntries(
    parts.map(([part, time]) => [part, make(part, time)]),
  ) as unknown as ProcessorTimes;
}
