import { AccessToken } from './api/access-token';
import { type Patience } from './api/back-off';
import { DataImportApi } from './api/data-import-api';
import { Retrying, Unreachable } from './api/retrying';
import { TokenEndpoint, TokenRefused } from './api/token-endpoint';
import { Transport } from './api/transport';
import { BookFile } from './book/book-file';
import { type Clock } from './clock';
import { type ImportOptions } from './options';
import { ErrorFile, noErrorFile } from './run/error-file';
import { Follower } from './run/follower';
import { type Progress } from './run/progress';
import { Sender } from './run/sender';
import { type StopRequest } from './run/stop-request';
import { type Summary, Tally } from './run/tally';
import { UsageError } from './usage-error';

export interface ImportOutcome {
  summary: Summary;
  /** What ended the run before its time. What was done until then is in the summary all the same. */
  failure: Error | undefined;
}

/** What the run needs of its surroundings. */
export interface Surroundings {
  stop: StopRequest;
  progress: Progress;
  progressEveryMs: number;
  clock: Clock;
  random: () => number;
}

/** The first request tells whether the address is right; nobody should wait minutes to learn that it is not. */
const FIRST_PATIENCE: Patience = { baseMs: 250, capMs: 2000, attempts: 20, forMs: 15_000 };

/**
 * Sends a book of accounts and waits for the accounts to be imported. Memory does not grow with the book, only
 * with the number of accounts that are accepted and not yet processed.
 *
 * @throws UsageError when nothing could be begun: no such book, no such address, key refused
 */
export async function importBook(options: ImportOptions, around: Surroundings): Promise<ImportOutcome> {
  const { stop, progress, clock, random } = around;
  const book = await BookFile.open(options.file);
  const api = await signIn(options, around);
  const errors = options.errors === undefined ? noErrorFile : await ErrorFile.create(options.errors);
  const tally = new Tally(clock);
  const follower = new Follower(api, tally, errors, clock, random);
  const sender = new Sender(api, tally, errors, (account) => {
    if (options.wait) follower.add(account);
  });

  const showing = setInterval(() => {
    progress.show(tally, book.fractionRead);
  }, around.progressEveryMs);
  const send = async (): Promise<void> => {
    await sender.send(book.lines(), options.concurrency, stop.signal);
    follower.noMoreToCome();
  };
  const follow = async (): Promise<void> => {
    if (options.wait) await follower.follow(options.concurrency, options.waitMs, stop.signal);
  };
  // One failing takes the other along: neither has anything to do without the service.
  const ends = await Promise.allSettled([send, follow].map((part) => part().catch(stopAndThrow(stop))));
  clearInterval(showing);
  progress.end(tally, book.fractionRead);

  follower.reportUnfinished();
  await errors.close();
  return { summary: tally.summary(), failure: failureAmong(ends) };
}

/** @throws UsageError when the service is not there or does not accept the key */
async function signIn(options: ImportOptions, { stop, clock, random }: Surroundings): Promise<DataImportApi> {
  const transport = new Transport(options.baseUrl, options.timeoutMs);
  const patience: Patience = { baseMs: 250, capMs: 20_000, attempts: 50, forMs: options.retryMs };
  const retrying = new Retrying(patience, stop.signal, clock, random);
  const endpoint = new TokenEndpoint(transport, retrying, clock);
  const token = new AccessToken(options.apiKey, endpoint.obtain.bind(endpoint), clock);
  try {
    await token.current(FIRST_PATIENCE);
  } catch (error) {
    const where = options.baseUrl.href;
    if (error instanceof Unreachable) {
      throw new UsageError(`The service at ${where} cannot be reached (${error.message}). Check --base-url.`);
    }
    if (error instanceof TokenRefused) {
      throw new UsageError(
        `The service at ${where} gives no token for this API key (${error.message}). Check the key.`,
      );
    }
    throw error;
  }
  return new DataImportApi(transport, retrying, token);
}

function stopAndThrow(stop: StopRequest): (error: unknown) => never {
  return (error) => {
    stop.stop();
    throw error;
  };
}

function failureAmong(ends: PromiseSettledResult<void>[]): Error | undefined {
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed === undefined) return undefined;
  return failed.reason instanceof Error ? failed.reason : new Error(String(failed.reason));
}
