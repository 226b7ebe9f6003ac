import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { change, path } from '../api/client';
import { queryClient } from '../api/query-client';
import type {
  ActionPreviewView,
  ActionResultView,
  ProcessActionRequest,
  ProcessSelection,
} from '../api/shapes';
import { Dialog, TypedConfirmation } from '../design/dialog';
import { Failure, Note } from '../design/feedback';
import { formatCount, humanise } from '../design/format';
import { lookOf } from '../design/state';

export type ProcessAction = ProcessActionRequest['action'];

export const ACTIONS: Readonly<Record<ProcessAction, { label: string; effect: string }>> = {
  retry: {
    label: 'Retry',
    effect: 'Accounts with an error, and cancelled ones if they are selected, are processed again.',
  },
  release: { label: 'Release', effect: 'Accounts that wait after their dry run are created.' },
  cancel: { label: 'Cancel', effect: 'Accounts that wait are not created. A retry brings them back.' },
};

interface Progress {
  changed: number;
  skipped: Record<string, number>;
  withoutJob: number;
  isFinished: boolean;
}

const NO_PROGRESS: Progress = { changed: 0, skipped: {}, withoutJob: 0, isFinished: false };

function add(progress: Progress, result: ActionResultView): Progress {
  const skipped = { ...progress.skipped };
  for (const [reason, count] of Object.entries(result.skipped))
    skipped[reason] = (skipped[reason] ?? 0) + count;
  return {
    changed: progress.changed + result.changed,
    skipped,
    withoutJob: progress.withoutJob + result.without_job,
    isFinished: !result.remaining,
  };
}

/** The selection in words. */
function describe({
  status,
  error_code: error,
  submission,
  external_account_numbers: numbers,
}: ProcessSelection) {
  if (numbers)
    return numbers.length === 1
      ? `Account ${numbers[0]}`
      : `${formatCount(numbers.length)} selected accounts`;
  const parts = [
    status && `in state “${lookOf(status).label}”`,
    error && `with error ${error}`,
    submission && `of submission ${submission}`,
  ].filter(Boolean);
  return parts.length === 0 ? 'All accounts of the supplier' : `Accounts ${parts.join(', ')}`;
}

/**
 * Releases, retries or cancels accounts: first how many it would change, then, after the operator has typed the
 * supplier's code, call after call until none is left.
 */
export function ProcessActionDialog(props: {
  code: string;
  selection: ProcessSelection;
  initialAction: ProcessAction;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Change accounts" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <ProcessActionForm {...props} />}
    </Dialog>
  );
}

function ProcessActionForm(props: {
  code: string;
  selection: ProcessSelection;
  initialAction: ProcessAction;
  onClose: () => void;
}) {
  const { code } = props;
  const [action, setAction] = useState(props.initialAction);
  const [first, setFirst] = useState('');
  const [typed, setTyped] = useState('');
  const [progress, setProgress] = useState<Progress>();
  const canLimit = props.selection.external_account_numbers === undefined;
  const selection: ProcessSelection = {
    ...props.selection,
    ...(first === '' ? {} : { first: Number(first) }),
  };
  const base = `${path('suppliers', code)}/process-actions`;

  const preview = useMutation({
    mutationFn: async () => change<ActionPreviewView>('POST', `${base}/preview`, { action, selection }),
  });
  const run = useMutation({
    mutationFn: async (token: string) => {
      let total = NO_PROGRESS;
      let cursor: string | null = null;
      setProgress(total);
      do {
        const body: ProcessActionRequest = {
          action,
          selection,
          token,
          supplier_code_typed: typed,
          ...(cursor === null ? {} : { cursor }),
        };
        const result: ActionResultView = await change('POST', base, body);
        total = add(total, result);
        cursor = result.next_cursor;
        setProgress(total);
      } while (!total.isFinished);
    },
    onSettled: () => {
      for (const key of ['processes', 'process', 'supplier', 'submission', 'overview'])
        void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
  const forget = () => {
    preview.reset();
    run.reset();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (preview.data) run.mutate(preview.data.token);
    else preview.mutate();
  };
  if (progress && (run.isPending || run.isSuccess))
    return (
      <Outcome
        progress={progress}
        total={preview.data?.is_capped ? undefined : preview.data?.count}
        onClose={props.onClose}
      />
    );

  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <p>
        <b>{describe(props.selection)}</b>
      </p>
      <NativeSelect
        label="Action"
        description={ACTIONS[action].effect}
        data={Object.entries(ACTIONS).map(([value, { label }]) => ({ value, label }))}
        value={action}
        onChange={({ currentTarget }) => {
          setAction(currentTarget.value as ProcessAction);
          forget();
        }}
      />
      {canLimit && (
        <TextInput
          type="number"
          min={1}
          label="Only the first"
          description="In the order of their creation. Empty: all of them."
          value={first}
          onChange={({ currentTarget }) => {
            setFirst(currentTarget.value);
            forget();
          }}
        />
      )}
      {preview.data && (
        <>
          <Note tone="busy">
            {preview.data.is_capped ? 'More than ' : ''}
            <b>{formatCount(preview.data.count)}</b>{' '}
            {preview.data.count === 1 && !preview.data.is_capped ? 'account' : 'accounts'} can be changed now.
          </Note>
          <TypedConfirmation
            expected={code}
            what="The code of the supplier."
            value={typed}
            onChange={setTyped}
          />
        </>
      )}
      {(preview.error ?? run.error) && <Failure error={preview.error ?? run.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" size="sm" onClick={props.onClose}>
          Close
        </Button>
        {preview.data ? (
          <Button
            type="submit"
            size="sm"
            disabled={typed !== code || (preview.data.count === 0 && !preview.data.is_capped)}
            {...(action === 'cancel' ? { color: 'red' } : {})}
          >
            {ACTIONS[action].label} {amountOf(preview.data, selection.first)}
          </Button>
        ) : (
          <Button type="submit" size="sm" loading={preview.isPending}>
            Preview
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** What the button says that the action changes. */
function amountOf({ count, is_capped: isCapped }: ActionPreviewView, first: number | undefined): string {
  if (!isCapped) return formatCount(count);
  return first === undefined ? 'all' : `the first ${formatCount(first)}`;
}

function Outcome(props: { progress: Progress; total: number | undefined; onClose: () => void }) {
  const { progress } = props;
  const skipped = Object.entries(progress.skipped);
  return (
    <>
      <Note tone={progress.isFinished ? 'good' : 'busy'}>
        {progress.isFinished ? 'Done. ' : 'In progress. '}
        <b>{formatCount(progress.changed)}</b> {progress.changed === 1 ? 'account' : 'accounts'} changed.
      </Note>
      {!progress.isFinished && (
        <progress
          aria-label="Progress"
          {...(props.total === undefined ? {} : { max: Math.max(props.total, 1), value: progress.changed })}
        />
      )}
      {skipped.length > 0 && (
        <ul>
          {skipped.map(([reason, count]) => (
            <li key={reason}>
              {formatCount(count)} skipped: {humanise(reason)}
            </li>
          ))}
        </ul>
      )}
      {progress.withoutJob > 0 && (
        <p className="muted">
          {formatCount(progress.withoutJob)} have no job yet, because the queue did not accept it. A worker
          adds it within a minute.
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button size="sm" onClick={props.onClose} disabled={!progress.isFinished}>
          Done
        </Button>
      </Group>
    </>
  );
}
