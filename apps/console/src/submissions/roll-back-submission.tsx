import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { change, path } from '../api/client';
import { queryClient } from '../api/query-client';
import type { RollbackRequest, RollbackResult, SubmissionDetailView } from '../api/shapes';
import { Dialog, TypedConfirmation } from '../design/dialog';
import { Failure, Note } from '../design/feedback';
import { formatCount, humanise } from '../design/format';

interface Tally {
  total: number;
  considered: number;
  rolledBack: number;
  left: Record<string, number>;
}

const NOTHING: Tally = { total: 0, considered: 0, rolledBack: 0, left: {} };

function add(tally: Tally, result: RollbackResult): Tally {
  const left = { ...tally.left };
  for (const [reason, count] of Object.entries(result.left)) left[reason] = (left[reason] ?? 0) + count;
  return {
    total: Math.max(tally.total, result.total),
    considered: tally.considered + result.considered,
    rolledBack: tally.rolledBack + result.rolled_back,
    left,
  };
}

/** Deletes the accounts that a submission has created, after a dry run that shows what would be deleted. */
export function RollBackSubmission({ submission }: { submission: SubmissionDetailView }) {
  const [isOpen, setOpen] = useState(false);
  // An open dialog stays, and shows the outcome.
  if (submission.counts.processed === 0 && !isOpen) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Undo2 size={14} />}
        onClick={() => {
          setOpen(true);
        }}
      >
        Roll back
      </Button>
      <Dialog
        title={`Roll back submission ${submission.id}`}
        isOpen={isOpen}
        onClose={() => {
          setOpen(false);
        }}
      >
        {isOpen && (
          <RollbackForm
            submission={submission}
            onClose={() => {
              setOpen(false);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

function RollbackForm({
  submission: { id },
  onClose,
}: {
  submission: SubmissionDetailView;
  onClose: () => void;
}) {
  const [tally, setTally] = useState(NOTHING);
  const [typed, setTyped] = useState('');
  const run = async (request: RollbackRequest) => {
    let total = NOTHING;
    let cursor: string | null = null;
    let result: RollbackResult;
    setTally(total);
    do {
      const body: RollbackRequest = { ...request, ...(cursor === null ? {} : { cursor }) };
      result = await change<RollbackResult>('POST', `${path('submissions', id)}/rollback`, body);
      total = add(total, result);
      cursor = result.next_cursor;
      setTally(total);
    } while (result.remaining);
  };
  const dryRun = useMutation({ mutationFn: async () => run({ dry_run: true }) });
  const rollback = useMutation({
    mutationFn: async () => run({ dry_run: false, confirm: typed }),
    onSettled: () => {
      for (const key of ['submission', 'reconciliation', 'processes', 'process'])
        void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (dryRun.isSuccess) rollback.mutate();
    else dryRun.mutate();
  };
  const isRunning = dryRun.isPending || rollback.isPending;
  const left = Object.entries(tally.left);
  const error = rollback.error ?? dryRun.error;
  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <p>
        Deletes the accounts that this submission has created and that nothing has touched since. Their
        processes are cancelled; the supplier can send them again.
      </p>
      {(isRunning || dryRun.isSuccess) && (
        <Note tone={rollback.isSuccess ? 'good' : 'busy'}>
          <p>
            <b>{formatCount(tally.rolledBack)}</b>{' '}
            {rollback.isSuccess || rollback.isPending
              ? 'accounts rolled back.'
              : 'accounts would be rolled back.'}
          </p>
          {left.map(([reason, count]) => (
            <p key={reason}>
              {formatCount(count)} left: {humanise(reason).toLowerCase()}
            </p>
          ))}
        </Note>
      )}
      {isRunning && (
        <progress aria-label="Progress" max={Math.max(tally.total, 1)} value={tally.considered} />
      )}
      {dryRun.isSuccess && !rollback.isSuccess && (
        <TypedConfirmation expected={id} what="The id of the submission." value={typed} onChange={setTyped} />
      )}
      {error && <Failure error={error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" size="sm" onClick={onClose}>
          {rollback.isSuccess ? 'Done' : 'Cancel'}
        </Button>
        {!rollback.isSuccess &&
          (dryRun.isSuccess ? (
            <Button
              type="submit"
              size="sm"
              color="red"
              loading={rollback.isPending}
              disabled={typed !== id || tally.rolledBack === 0}
            >
              Roll back {formatCount(tally.rolledBack)}
            </Button>
          ) : (
            <Button type="submit" size="sm" loading={dryRun.isPending}>
              Dry run
            </Button>
          ))}
      </Group>
    </Stack>
  );
}
