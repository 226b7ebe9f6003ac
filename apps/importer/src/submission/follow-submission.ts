import { type Clock, type PortageClient, Unreachable } from '@portage/client';
import { endedOf, type SubmissionRun } from './submission-run';

/** Between two reads, the next of which begins after the last one has ended. */
const POLL_MS = 500;

/**
 * Reads the submission until it has finished, no account has come to its end for `waitMs`, or `stop` is aborted.
 *
 * @throws AccessLost, TokenRefused, PortageError
 */
export async function followSubmission(
  portage: PortageClient,
  run: SubmissionRun,
  { waitMs, clock, stop }: { waitMs: number; clock: Clock; stop: AbortSignal },
): Promise<void> {
  let changedAt = clock.now();
  while (!stop.aborted && !hasEnded(run)) {
    const before = endedOf(run.submission.counts);
    run.submission = (await read(portage, run.submission.id)) ?? run.submission;
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

/** Processing continues while the service does not answer, so the submission is read again, up to the limit. */
async function read(portage: PortageClient, id: string) {
  try {
    return (await portage.readSubmission({ path: { id } })).data;
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}
