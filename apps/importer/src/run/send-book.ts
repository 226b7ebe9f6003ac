import type { PortageClient } from '@portage/client';
import { DataImportApi } from '../api/data-import-api';
import { parseBookLine } from '../book/book-line';
import type { JsonLinesFile } from '../book/json-lines-file';
import type { ImportOptions } from '../options';
import { Follower } from './follower';
import type { Step } from './progress';
import { type AcceptedAccounts, Sender, type SenderParts } from './sender';
import type { StopRequest } from './stop-request';
import type { RunContext } from './run-context';
import { type Summary, Tally } from './tally';
import { withProgress } from './with-progress';

/** Without --wait, accepted accounts are not followed. */
const NOT_FOLLOWED: AcceptedAccounts = { prepare: async () => Promise.resolve(), add: () => undefined };

/**
 * Sends a book of accounts and waits until the accounts are imported. Memory grows only with the number of accounts
 * that are accepted but not yet processed.
 *
 * @returns the summary, and the error that ended the run early if there was one; `stop` is then aborted
 */
export async function sendBook(
  book: JsonLinesFile,
  portage: PortageClient,
  { errors, rejected, index, checkpoint }: Omit<SenderParts, 'tally'>,
  options: Pick<ImportOptions, 'wait' | 'waitMs' | 'concurrency' | 'validateOnly' | 'rejectUnknown'>,
  { stop, progress, progressEveryMs, clock, random }: RunContext,
): Promise<{ summary: Summary; failure: Error | undefined }> {
  const { waitMs, concurrency, validateOnly } = options;
  const wait = options.wait && !validateOnly;
  const api = new DataImportApi(portage);
  const tally = new Tally(clock);
  const follower = new Follower(api, tally, errors, clock, random, checkpoint);
  const parts = { tally, errors, rejected, index, checkpoint };
  const sender = new Sender(api, parts, options, wait ? follower : NOT_FOLLOWED);
  const send = async (): Promise<void> => {
    await sender.send(book.parse(parseBookLine), concurrency, stop.signal);
    follower.finishAdding();
  };
  const follow = async (): Promise<void> => {
    if (wait) await follower.follow(concurrency, waitMs, stop.signal);
  };
  const ends = await withProgress(
    progress,
    progressEveryMs,
    () => progressSteps(tally, book.fractionRead, wait, validateOnly),
    // If one of them fails, the other is stopped, because neither can continue without the service.
    () => Promise.allSettled([send, follow].map((part) => part().catch(stopAndThrow(stop)))),
  );
  follower.reportUnfinished();
  return { summary: tally.summary(), failure: findFailure(ends) };
}

function stopAndThrow(stop: StopRequest): (error: unknown) => never {
  return (error) => {
    stop.stop();
    throw error;
  };
}

function findFailure(ends: PromiseSettledResult<void>[]): Error | undefined {
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed === undefined) return undefined;
  return failed.reason instanceof Error ? failed.reason : new Error(String(failed.reason));
}

/** The progress of sending the book and of processing the accepted accounts. */
function progressSteps(tally: Tally, fractionRead: number, following: boolean, validating: boolean): Step[] {
  const sent = {
    label: validating ? 'checked' : 'sent',
    fraction: fractionRead,
    details: describeSent(tally, validating),
  };
  if (!following) return [sent];
  const ended = tally.acceptedEver - tally.unfinished;
  // Relative to the expected number of accepted accounts, estimated from the fraction of the book that was read.
  const fraction = tally.acceptedEver === 0 ? 0 : (ended / tally.acceptedEver) * fractionRead;
  return [sent, { label: 'processed', fraction, details: describeProcessed(tally) }];
}

function describeSent(tally: Tally, validating: boolean): string {
  const parts = [
    validating ? `${tally.valid} valid` : `${tally.accepted} accepted`,
    `${tally.refused} refused`,
  ];
  const already = tally.alreadyImported + tally.alreadyImportedDiffering;
  if (already > 0) parts.push(`${already} already imported`);
  if (tally.acceptedBefore > 0) parts.push(`${tally.acceptedBefore} accepted before`);
  if (tally.conflicting > 0) parts.push(`${tally.conflicting} conflicting`);
  if (tally.unreachable > 0) parts.push(`${tally.unreachable} unreachable`);
  return parts.join(', ');
}

function describeProcessed(tally: Tally): string {
  const parts = [`${tally.processed} processed`];
  if (tally.dryRunSucceeded > 0) parts.push(`${tally.dryRunSucceeded} dry runs succeeded`);
  if (tally.errored > 0) parts.push(`${tally.errored} errored`);
  return parts.join(', ');
}
