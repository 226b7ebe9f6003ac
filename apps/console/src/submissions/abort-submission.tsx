import { Ban } from 'lucide-react';
import { change, path } from '../api/client';
import type { AbortResult, SubmissionDetailView } from '../api/shapes';
import { ActionButton } from '../design/dialog';
import { formatCount } from '../design/format';
import { sum } from '../design/sums';
import { useRepeated } from '../design/use-repeated';

/** Ends a submission: it takes no more accounts, and those that have not begun or wait for their release are cancelled. */
export function AbortSubmission({ submission: { id, status } }: { submission: SubmissionDetailView }) {
  const { run, answers } = useRepeated(async () =>
    change<AbortResult>('POST', `${path('submissions', id)}/abort`, { confirm: id }),
  );
  const describe = (results: readonly AbortResult[]) =>
    `Cancelled accounts: ${formatCount(sum(results.map(({ cancelled }) => cancelled)))}.`;
  if (status === 'FINISHED' || status === 'ABORTED') return null;
  return (
    <ActionButton
      label="Abort"
      icon={Ban}
      title={`Abort submission ${id}`}
      confirmLabel="Abort submission"
      isDangerous
      typed={{ expected: id, what: 'The id of the submission.' }}
      run={run}
      progress={describe(answers)}
      renews={[['submission', id]]}
      announce={(results) => `The submission was aborted. ${describe(results)}`}
    >
      <p>
        It takes no more accounts. Accounts that have not begun, or wait for their release, are cancelled.
      </p>
      <p>Accounts that were created stay. A rollback removes them.</p>
    </ActionButton>
  );
}
