import type { PortageClient } from '@portage/client';
import type { JsonLinesFile } from '../book/json-lines-file';
import type { DoneLines } from '../run/checkpoint';
import type { CountByCode } from '../run/counts';
import type { ErrorList } from '../run/error-file';
import type { Step } from '../run/progress';
import type { RejectedLines } from '../run/rejected-lines';
import type { RunContext } from '../run/run-context';
import { withProgress } from '../run/with-progress';
import { AfterImportApi } from './after-import-api';
import { AfterImportSender } from './after-import-sender';
import { type AfterImportSummary, AfterImportTally } from './after-import-tally';
import { parseRequestLine } from './request-line';

/**
 * Sends the requests of an after-import file: notes, transactions, statements and payment instructions.
 *
 * @returns the summary, and the error that ended the run early if there was one
 */
export async function sendAfterImport(
  file: JsonLinesFile,
  portage: PortageClient,
  { errors, rejected, checkpoint }: { errors: ErrorList; rejected: RejectedLines; checkpoint: DoneLines },
  concurrency: number,
  { stop, progress, progressEveryMs }: RunContext,
): Promise<{ summary: AfterImportSummary; ignoredFields: CountByCode; failure: Error | undefined }> {
  const tally = new AfterImportTally();
  const sender = new AfterImportSender(new AfterImportApi(portage), tally, errors, rejected, checkpoint);
  const failure = await withProgress(
    progress,
    progressEveryMs,
    () => [progressStep(tally, file.fractionRead)],
    () => sender.send(file.parse(parseRequestLine), concurrency, stop.signal).then(toUndefined, toError),
  );
  return { summary: tally.summary(), ignoredFields: tally.ignoredFields.byPath(), failure };
}

const toUndefined = (): undefined => undefined;
const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function progressStep(tally: AfterImportTally, fraction: number): Step {
  const parts = [`${tally.added} in ${tally.requests} requests`];
  if (tally.alreadyThere > 0) parts.push(`${tally.alreadyThere} already there`);
  if (tally.differing > 0) parts.push(`${tally.differing} differing`);
  if (tally.refused > 0) parts.push(`${tally.refused} requests refused`);
  if (tally.failed > 0) parts.push(`${tally.failed} requests failed`);
  return { label: 'added', fraction, details: parts.join(', ') };
}
