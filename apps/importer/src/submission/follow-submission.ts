import { type Clock, type PortageClient, type Submission, Unreachable } from '@portage/client';
import { endedOf, type SubmissionRun } from './submission-run';

/** Between two reads, the next of which begins after the last one has ended. */
const POLL_MS = 500;

/** Time without an answer after which the user is told. */
const MAX_SILENCE_MS = 30_000;

/**
 * Reads the submission until it has finished, no account has come to its end for `waitMs`, or `stop` is aborted.
 *
 * @throws AccessLost, TokenRefused, PortageError
 */
export async function followSubmission(
  portage: PortageClient,
  run: SubmissionRun,
  {
    waitMs,
    clock,
    stop,
    note,
  }: { waitMs: number; clock: Clock; stop: AbortSignal; note: (line: string) => void },
): Promise<void> {
  let changedAt = clock.now();
  let isSilent = false;
  const isStopped = () => stop.aborted;
  while (!isStopped() && !hasEnded(run)) {
    const before = endedOf(run.submission.counts);
    const read = await readSubmission(portage, run.submission.id);
    if (read instanceof Unreachable) {
      if (!isStopped()) note(`The service does not answer (${read.message}). The importer keeps asking.`);
    } else {
      if (isSilent) note('The service answers again.');
      run.submission = read;
    }
    isSilent = read instanceof Unreachable;
    if (endedOf(run.submission.counts) !== before) changedAt = clock.now();
    if (hasEnded(run) || clock.now() - changedAt >= waitMs) return;
    await clock.sleep(POLL_MS, stop);
  }
}

/** True if no account of the submission is queued or running, and none will be added. Only an operator releases accounts. */
export function hasEnded({ submission: { status, counts } }: Pick<SubmissionRun, 'submission'>): boolean {
  if (status === 'FINISHED' || status === 'AWAITING_RELEASE') return true;
  return status === 'ABORTED' && endedOf(counts) === counts.received;
}

/** @returns Unreachable if the service has not answered for a while; processing continues without it */
async function readSubmission(portage: PortageClient, id: string): Promise<Submission | Unreachable> {
  try {
    const retry = { maxDurationMs: MAX_SILENCE_MS };
    return (await portage.readSubmission({ path: { id }, retry })).data;
  } catch (error) {
    if (error instanceof Unreachable) return error;
    throw error;
  }
}
