import { deepStrictEqual } from 'node:assert';
import { constants, gzipSync } from 'node:zlib';
import { type Book, BookSource } from '../book';
import {
  Contender,
  type ContenderOptions,
  type ProcessorTimes,
  type Program,
  SUPPLIER,
  timesPer,
} from '../contender';
import { type LoadResult, requireStatus } from '../load';
import { countWrittenRows } from '../row-counts';
import type { Bench } from './measure';

/** The number of concurrent connections of a supplier. */
export const CONNECTIONS = 32;

/** How a book is sent: an account a request, or as one submission. */
export type Way = 'posts' | 'submission';

export interface ImportedBook {
  readonly accountsPerSecond: number;
  /** The POSTs, sent while the worker imports; undefined for a submission. */
  readonly posts: LoadResult | undefined;
  /** Milliseconds of CPU time per account. */
  readonly times: ProcessorTimes;
  /** Bytes of the write-ahead log per account. */
  readonly logBytes: number;
}

/**
 * Accounts that a worker imports before a measured book. V8 still compiles code of a worker that has imported 2,000, and
 * a worker in production has imported more.
 */
const WARM_UP_OF_WORKER = 6_000;

const SUBMISSIONS = '/v2/data-import/submissions/';
const NEWLINE = Buffer.from('\n');

/** What an upload is answered with, of its lines. */
interface UploadAnswer {
  id?: string;
  accepted?: number;
  unchanged?: number;
  corrections?: number;
}

/** The number of warm-up accounts that one worker needs. */
export function warmUpOfWorker({ isQuick }: Pick<Bench, 'isQuick'>): number {
  return isQuick ? 50 : WARM_UP_OF_WORKER;
}

/** Imports accounts into an empty database, after a warm-up. */
export async function importIntoEmpty(
  bench: Bench,
  program: Program,
  options: Pick<ContenderOptions, 'backend' | 'workers'> & {
    way: Way;
    accounts: number;
    warmUpOfWorker: number;
  },
): Promise<ImportedBook> {
  const { backend, workers, way, accounts } = options;
  const source = new BookSource(SUPPLIER);
  const warmUpBook = source.next(workers * options.warmUpOfWorker);
  const contender = await Contender.start(program, { backend, workers });
  try {
    await warmUp(contender, warmUpBook);
    await requireSameRows(contender, warmUpBook.payloads.length);
    const imported = await importBook(contender, way, source.next(accounts), 'book');
    await contender.allProcessed(warmUpBook.payloads.length + accounts);
    return imported;
  } finally {
    await contender.stop();
  }
}

/**
 * Imports a book, and measures from the first byte sent to the last created account.
 *
 * @param reference the name of a submission, unique in the database
 */
export async function importBook(
  contender: Contender,
  way: Way,
  book: Book,
  reference: string,
): Promise<ImportedBook> {
  const accounts = book.payloads.length;
  const packed = way === 'submission' ? packBook(book) : undefined;
  const log = await contender.logPosition();
  const before = contender.processorTimes();
  const start = performance.now();
  const posts = packed ? undefined : await postBook(contender, book);
  if (packed) await uploadBook(contender, packed, reference);
  await contender.allFinished();
  const seconds = (performance.now() - start) / 1_000;
  const times = timesPer(before, contender.processorTimes(), accounts);
  const logBytes = ((await contender.logPosition()) - log) / accounts;
  return { accountsPerSecond: accounts / seconds, posts, times, logBytes };
}

/** Posts all accounts of a book. @throws Error if any is refused */
export async function postBook(
  contender: Contender,
  { payloads }: Book,
  connections = CONNECTIONS,
): Promise<LoadResult> {
  const load = contender.load(connections);
  try {
    const requests = payloads.map((body) => ({
      method: 'POST' as const,
      path: '/v2/data-import/accounts/',
      body,
    }));
    return requireStatus(201, await load.send(requests));
  } finally {
    await load.close();
  }
}

/**
 * Imports the warm-up accounts, the last third of them as a submission unless the program has no submissions.
 *
 * @throws Error unless all of them, and no other accounts, are in the database
 */
export async function warmUp(contender: Contender, book: Book): Promise<void> {
  const hasSubmissions = contender.program.yardstick === undefined;
  const posted = hasSubmissions ? Math.round((book.payloads.length * 2) / 3) : book.payloads.length;
  await postBook(contender, { ...book, payloads: book.payloads.slice(0, posted) });
  const rest = { ...book, payloads: book.payloads.slice(posted) };
  if (hasSubmissions) await uploadBook(contender, packBook(rest), 'warm-up');
  await contender.allProcessed(book.payloads.length);
}

const expectedRows = new Map<number, Record<string, number>>();

/**
 * Checks that every contender has written the same number of rows for the same warm-up accounts: a program that writes
 * less is not comparable.
 */
async function requireSameRows(contender: Contender, accounts: number): Promise<void> {
  const rows = await countWrittenRows(contender);
  const expected = expectedRows.get(accounts) ?? rows;
  expectedRows.set(accounts, expected);
  deepStrictEqual(rows, expected, `${contender.program.name} does not write the same number of rows.`);
}

/** A book as the body of an upload: one account or addition a line, with gzip. */
interface PackedBook {
  readonly lines: number;
  readonly body: Buffer;
}

/** Packs a book, which takes a while, before the time is taken. */
export function packBook({ payloads }: Pick<Book, 'payloads'>): PackedBook {
  const lines = Buffer.concat(payloads.flatMap((payload) => [payload, NEWLINE]));
  return { lines: payloads.length, body: gzipSync(lines, { level: constants.Z_BEST_SPEED }) };
}

/**
 * Sends a book as a submission: one upload with gzip, which is completed when it has been answered. By default it creates
 * accounts.
 *
 * @throws Error unless every line is accepted
 */
export async function uploadBook(
  { baseUrl, authorization }: Contender,
  { lines, body }: PackedBook,
  reference: string,
  options: { mode?: 'create-or-correct'; kind?: 'additions' } = {},
): Promise<void> {
  const call = async (path: string, content: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${SUBMISSIONS}${path}`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json', ...headers },
      body: content,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text) as UploadAnswer;
  };
  const opened = await call('', JSON.stringify({ import_supplier: SUPPLIER, reference, ...options }));
  const {
    accepted = 0,
    unchanged = 0,
    corrections = 0,
  } = await call(`${opened.id}/${options.kind ?? 'accounts'}/`, body, {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
  });
  if (accepted + unchanged + corrections !== lines)
    throw new Error(
      `Only ${accepted + unchanged + corrections} of ${lines} lines of ${reference} were accepted.`,
    );
  await call(`${opened.id}/complete/`, '{}');
}
