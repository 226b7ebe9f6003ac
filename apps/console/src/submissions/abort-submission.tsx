import { Ban } from 'lucide-react';
import { change, path } from '../api/client';
import type { AbortResult, SubmissionDetailView } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { formatCount } from '../design/format';

/** Ends a submission: it takes no more accounts, and those that have not begun or wait for their release are cancelled. */
export function AbortSubmission({ submission: { id, status } }: { submission: SubmissionDetailView }) {
  if (status === 'FINISHED' || status === 'ABORTED') return null;
  const abort = async () => {
    let cancelled = 0;
    let result: AbortResult;
    do {
      result = await change<AbortResult>('POST', `${path('submissions', id)}/abort`, {
        confirm: id,
      });
      cancelled += result.cancelled;
    } while (result.remaining);
    return cancelled;
  };
  return (
    <ActionButton
      label="Abort"
      icon={Ban}
      title={`Abort submission ${id}`}
      confirmLabel="Abort submission"
      isDangerous
      typed={{ expected: id, what: 'The id of the submission.' }}
      run={abort}
      renews={[['submission', id]]}
      onDone={(cancelled) => `The submission was aborted. Cancelled accounts: ${formatCount(cancelled)}.`}
    >
      <p>
        It takes no more accounts. Accounts that have not begun, or wait for their release, are cancelled.
      </p>
      <p>Accounts that were created stay. A rollback removes them.</p>
    </ActionButton>
  );
}
