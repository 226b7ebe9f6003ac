import { type AuthorizedRequests } from '../api/authorized-requests';
import { type JsonLinesFile } from '../book/json-lines-file';
import { type ErrorList } from '../run/error-file';
import { type Step } from '../run/progress';
import { type Surroundings } from '../run/surroundings';
import { watched } from '../run/watched';
import { AfterImportApi } from './after-import-api';
import { AfterImportSender } from './after-import-sender';
import { type AfterImportSummary, AfterImportTally } from './after-import-tally';
import { parseRequestLine } from './request-line';

/**
 * Sends what is to be added to imported accounts: notes, transactions, statements and payment instructions.
 *
 * @returns also what ended it before its time
 */
export async function sendAfterImport(
  file: JsonLinesFile,
  requests: AuthorizedRequests,
  errors: ErrorList,
  concurrency: number,
  { stop, progress, progressEveryMs }: Surroundings,
): Promise<{ summary: AfterImportSummary; failure: Error | undefined }> {
  const tally = new AfterImportTally();
  const sender = new AfterImportSender(new AfterImportApi(requests), tally, errors);
  const failure = await watched(
    progress,
    progressEveryMs,
    () => [stepOf(tally, file.fractionRead)],
    () => sender.send(file.parsed(parseRequestLine), concurrency, stop.signal).then(noFailure, asError),
  );
  return { summary: tally.summary(), failure };
}

const noFailure = (): undefined => undefined;
const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function stepOf(tally: AfterImportTally, share: number): Step {
  const parts = [`${tally.added} in ${tally.requests} requests`];
  if (tally.alreadyThere > 0) parts.push(`${tally.alreadyThere} already there`);
  if (tally.refused > 0) parts.push(`${tally.refused} requests refused`);
  if (tally.failed > 0) parts.push(`${tally.failed} requests failed`);
  return { what: 'added', share, says: parts.join(', ') };
}
