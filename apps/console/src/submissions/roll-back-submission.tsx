import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { change, path } from '../api/client';
import { renew } from '../api/query-client';
import type { RollbackRequest, RollbackResult, SubmissionDetailView } from '../api/shapes';
import { Dialog, TypedConfirmation } from '../design/dialog';
import { Failure, Note } from '../design/feedback';
import { formatCount, humanise } from '../design/format';
import { sum, sumByName } from '../design/sums';
import { useRepeated } from '../design/use-repeated';

/** Deletes the accounts that a submission has created, after a dry run that shows what would be deleted. */
export function RollBackSubmission({ submission: { id, counts } }: { submission: SubmissionDetailView }) {
  const [isOpen, { open, close }] = useDisclosure();
  // An open dialog stays, and shows the outcome.
  if (counts.processed === 0 && !isOpen) return null;
  return (
    <>
      <Button variant="default" leftSection={<Undo2 size={14} />} onClick={open}>
        Roll back
      </Button>
      <Dialog title={`Roll back submission ${id}`} isOpen={isOpen} onClose={close}>
        <RollbackForm id={id} onClose={close} />
      </Dialog>
    </>
  );
}

function RollbackForm({ id, onClose }: { id: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const { run, answers } = useRepeated(async (request: RollbackRequest, cursor) =>
    change<RollbackResult>('POST', `${path('submissions', id)}/rollback`, { ...request, cursor }),
  );
  const dryRun = useMutation({ mutationFn: async () => run({ dry_run: true }) });
  const rollback = useMutation({
    mutationFn: async () => run({ dry_run: false, confirm: typed }),
    onSettled: () => {
      renew(['submission'], ['reconciliation'], ['processes'], ['process']);
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (dryRun.isSuccess) rollback.mutate();
    else dryRun.mutate();
  };
  const isRunning = dryRun.isPending || rollback.isPending;
  const count = formatCount(sum(answers.map((answer) => answer.rolled_back)));
  const error = rollback.error ?? dryRun.error;
  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <p>
        Deletes the accounts that this submission has created and that nothing has touched since. Their
        processes are cancelled; the supplier can send them again.
      </p>
      {!dryRun.isIdle && (
        <Note tone={rollback.isSuccess ? 'good' : 'busy'}>
          <p>
            <b>{count}</b> {rollback.isIdle ? 'accounts would be rolled back.' : 'accounts rolled back.'}
          </p>
          {sumByName(answers.map(({ left }) => left)).map(([reason, left]) => (
            <p key={reason}>
              {formatCount(left)} left: {humanise(reason).toLowerCase()}
            </p>
          ))}
        </Note>
      )}
      {isRunning && (
        <progress
          aria-label="Progress"
          max={answers[0]?.total || 1}
          value={sum(answers.map(({ considered }) => considered))}
        />
      )}
      {dryRun.isSuccess && !rollback.isSuccess && (
        <TypedConfirmation expected={id} what="The id of the submission." value={typed} onChange={setTyped} />
      )}
      {error && <Failure error={error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" size="sm" onClick={onClose}>
          {rollback.isSuccess ? 'Done' : 'Cancel'}
        </Button>
        {!rollback.isSuccess && (
          <Button
            type="submit"
            size="sm"
            loading={isRunning}
            {...(dryRun.isSuccess ? { color: 'red', disabled: typed !== id || count === '0' } : {})}
          >
            {dryRun.isSuccess ? `Roll back ${count}` : 'Dry run'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
