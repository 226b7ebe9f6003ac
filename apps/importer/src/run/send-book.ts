import { type AuthorizedRequests } from '../api/authorized-requests';
import { DataImportApi } from '../api/data-import-api';
import { parseBookLine } from '../book/book-line';
import { type JsonLinesFile } from '../book/json-lines-file';
import { type ImportOptions } from '../options';
import { type ErrorList } from './error-file';
import { Follower } from './follower';
import { type Step } from './progress';
import { Sender } from './sender';
import { type StopRequest } from './stop-request';
import { type Surroundings } from './surroundings';
import { type Summary, Tally } from './tally';
import { watched } from './watched';

/**
 * Sends a book of accounts and waits for the accounts to be imported. Memory does not grow with the book, only
 * with the number of accounts that are accepted and not yet processed.
 *
 * @returns also what ended it before its time, which has stopped the whole run
 */
export async function sendBook(
  book: JsonLinesFile,
  requests: AuthorizedRequests,
  errors: ErrorList,
  { wait, waitMs, concurrency }: Pick<ImportOptions, 'wait' | 'waitMs' | 'concurrency'>,
  { stop, progress, progressEveryMs, clock, random }: Surroundings,
): Promise<{ summary: Summary; failure: Error | undefined }> {
  const api = new DataImportApi(requests);
  const tally = new Tally(clock);
  const follower = new Follower(api, tally, errors, clock, random);
  const sender = new Sender(api, tally, errors, (account) => {
    if (wait) follower.add(account);
  });
  const send = async (): Promise<void> => {
    await sender.send(book.parsed(parseBookLine), concurrency, stop.signal);
    follower.noMoreToCome();
  };
  const follow = async (): Promise<void> => {
    if (wait) await follower.follow(concurrency, waitMs, stop.signal);
  };
  const ends = await watched(
    progress,
    progressEveryMs,
    () => stepsOf(tally, book.fractionRead, wait),
    // One failing takes the other along: neither has anything to do without the service.
    () => Promise.allSettled([send, follow].map((part) => part().catch(stopAndThrow(stop)))),
  );
  follower.reportUnfinished();
  return { summary: tally.summary(), failure: failureAmong(ends) };
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

/** The book handed over, and of the accounts accepted from it those that have come to an end. */
function stepsOf(tally: Tally, fractionRead: number, following: boolean): Step[] {
  const sent = { what: 'sent', share: fractionRead, says: sentWords(tally) };
  if (!following) return [sent];
  const ended = tally.accepted - tally.unfinished;
  // Of what will be accepted, as far as can be told from the share of the book that has been read.
  const share = tally.accepted === 0 ? 0 : (ended / tally.accepted) * fractionRead;
  return [sent, { what: 'processed', share, says: endedWords(tally) }];
}

function sentWords(tally: Tally): string {
  const parts = [`${tally.accepted} accepted`, `${tally.refused} refused`];
  if (tally.alreadyImported > 0) parts.push(`${tally.alreadyImported} already imported`);
  if (tally.unreachable > 0) parts.push(`${tally.unreachable} unreachable`);
  return parts.join(', ');
}

function endedWords(tally: Tally): string {
  const parts = [`${tally.processed} processed`];
  if (tally.dryRunSucceeded > 0) parts.push(`${tally.dryRunSucceeded} rehearsed`);
  if (tally.errored > 0) parts.push(`${tally.errored} errored`);
  return parts.join(', ');
}
