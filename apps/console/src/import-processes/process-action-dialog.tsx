import { Button, type ButtonProps, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { change, path } from '../api/client';
import { renew } from '../api/query-client';
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
import { sum, sumByName } from '../design/sums';
import { useRepeated } from '../design/use-repeated';

export type ProcessAction = ProcessActionRequest['action'];

const ACTIONS: Readonly<Record<ProcessAction, { label: string; effect: string }>> = {
  retry: {
    label: 'Retry',
    effect: 'Accounts with an error, and cancelled ones if they are selected, are processed again.',
  },
  release: { label: 'Release', effect: 'Accounts that wait after their dry run are created.' },
  cancel: { label: 'Cancel', effect: 'Accounts that wait are not created. A retry brings them back.' },
};

interface Change {
  code: string;
  selection: ProcessSelection;
  action: ProcessAction;
  onClose: () => void;
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

/** A button that changes accounts. Its dialog stays open when it is no longer offered. */
export function ProcessActionButton({
  isOffered = true,
  children,
  code,
  selection,
  action,
  onClose,
  ...button
}: Omit<Change, 'onClose'> &
  ButtonProps & { isOffered?: boolean; title?: string; onClose?: () => void; children?: ReactNode }) {
  const [isOpen, { open, close }] = useDisclosure(false, onClose && { onClose });
  return (
    <>
      {isOffered && (
        <Button onClick={open} {...button}>
          {children ?? ACTIONS[action].label}
        </Button>
      )}
      <ProcessActionDialog
        code={code}
        selection={selection}
        action={action}
        isOpen={isOpen}
        onClose={close}
      />
    </>
  );
}

/**
 * Releases, retries or cancels accounts: first how many it would change, then, after the operator has typed the
 * supplier's code, call after call until none is left.
 */
export function ProcessActionDialog({ isOpen, ...form }: Change & { isOpen: boolean }) {
  return (
    <Dialog title="Change accounts" isOpen={isOpen} onClose={form.onClose}>
      <ProcessActionForm {...form} />
    </Dialog>
  );
}

function ProcessActionForm({ code, onClose, ...initial }: Change) {
  const [action, setAction] = useState(initial.action);
  const [first, setFirst] = useState('');
  const [typed, setTyped] = useState('');
  const selection = { ...initial.selection, ...(first === '' ? {} : { first: Number(first) }) };
  const base = `${path('suppliers', code)}/process-actions`;
  const preview = useMutation({
    mutationFn: async () => change<ActionPreviewView>('POST', `${base}/preview`, { action, selection }),
  });
  const { run, answers } = useRepeated(async (token: string, cursor) =>
    change<ActionResultView>('POST', base, { action, selection, token, supplier_code_typed: typed, cursor }),
  );
  const work = useMutation({
    mutationFn: run,
    onSettled: () => {
      renew(['processes'], ['process'], ['supplier'], ['submission'], ['overview']);
    },
  });
  const forget = () => {
    preview.reset();
    work.reset();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (preview.data) work.mutate(preview.data.token);
    else preview.mutate();
  };
  const { count = 0, is_capped: isCapped = false } = preview.data ?? {};
  const error = preview.error ?? work.error;
  if (work.isPending || work.isSuccess)
    return (
      <>
        <Outcome answers={answers} status={work.isSuccess ? 'Done' : 'In progress'} />
        {work.isPending && (
          <progress
            aria-label="Progress"
            {...(isCapped
              ? {}
              : { max: Math.max(count, 1), value: sum(answers.map(({ changed }) => changed)) })}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button size="sm" onClick={onClose} disabled={work.isPending}>
            Done
          </Button>
        </Group>
      </>
    );

  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <p>
        <b>{describe(initial.selection)}</b>
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
      {initial.selection.external_account_numbers === undefined && (
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
            {isCapped && 'More than '}
            <b>{formatCount(count)}</b> {count === 1 && !isCapped ? 'account' : 'accounts'} can be changed
            now.
          </Note>
          <TypedConfirmation
            expected={code}
            what="The code of the supplier."
            value={typed}
            onChange={setTyped}
          />
        </>
      )}
      {work.isError && <Outcome answers={answers} status="Stopped" />}
      {error && <Failure error={error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" size="sm" onClick={onClose}>
          Close
        </Button>
        {preview.data ? (
          <Button
            type="submit"
            size="sm"
            disabled={typed !== code || (count === 0 && !isCapped)}
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

/** What the calls so far have done. */
function Outcome(props: {
  answers: readonly ActionResultView[];
  status: 'Done' | 'In progress' | 'Stopped';
}) {
  const { answers, status } = props;
  const changed = sum(answers.map((answer) => answer.changed));
  const withoutJob = sum(answers.map((answer) => answer.without_job));
  const skipped = sumByName(answers.map((answer) => answer.skipped));
  return (
    <>
      <Note tone={status === 'Done' ? 'good' : 'busy'}>
        {status}. <b>{formatCount(changed)}</b> {changed === 1 ? 'account' : 'accounts'} changed.
      </Note>
      {skipped.length > 0 && (
        <ul>
          {skipped.map(([reason, count]) => (
            <li key={reason}>
              {formatCount(count)} skipped: {humanise(reason)}
            </li>
          ))}
        </ul>
      )}
      {withoutJob > 0 && (
        <p className="muted">
          {formatCount(withoutJob)} have no job yet, because the queue did not accept it. A worker adds it
          within a minute.
        </p>
      )}
    </>
  );
}
