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
  const alreadyThere = tally.sum((counts) => counts.alreadyThere);
  const differing = tally.sum((counts) => counts.differing);
  const refused = tally.sum((counts) => counts.refused.total);
  const failed = tally.sum((counts) => counts.failed);
  const parts = [
    `${tally.sum(({ added }) => added)} in ${tally.sum(({ requests }) => requests)} requests`,
    ...(alreadyThere > 0 ? [`${alreadyThere} already there`] : []),
    ...(differing > 0 ? [`${differing} differing`] : []),
    ...(refused > 0 ? [`${refused} requests refused`] : []),
    ...(failed > 0 ? [`${failed} requests failed`] : []),
  ];
  return { label: 'added', fraction, details: parts.join(', ') };
}
