import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { apiQuery, path } from '../api/client';
import type { ActionItemList, ActionItemView } from '../api/shapes';
import { Empty, Loaded } from '../design/feedback';
import { formatCount } from '../design/format';
import { Panel } from '../design/layout';
import { SupplierLink } from '../design/links';
import { colorOf, lookOf } from '../design/state';
import { Distance } from '../design/time';
import { ProcessActionDialog } from '../import-processes/process-action-dialog';
import { useHasRole } from '../session/session';

const REFRESH_MS = 5_000;

/** What the item of each kind says: a state, what is counted, the state whose look it has, and what to do. */
const KINDS: Readonly<
  Record<ActionItemView['kind'], readonly [title: string, counted: string, look: string, todo: string]>
> = {
  queues_unavailable: [
    'The queue does not answer: accounts are accepted and wait',
    '',
    'down',
    'Show queues',
  ],
  worker_missing: ['No worker runs', 'waiting', 'down', 'Show workers'],
  queue_without_worker: ['No worker for a queue', 'waiting', 'down', 'Show workers'],
  queue_paused: ['A queue is paused', 'waiting', 'paused', 'Show queues'],
  supplier_paused: ['A supplier is paused', 'accounts held', 'paused', 'Show supplier'],
  accounts_awaiting_release: [
    'Accounts wait for their release',
    'accounts',
    'DRY_RUN_SUCCEEDED',
    'List accounts',
  ],
  accounts_errored: ['Accounts with errors', 'accounts', 'ERRORED', 'List accounts'],
  dry_runs_errored: ['Dry runs with errors', 'accounts', 'DRY_RUN_ERRORED', 'List accounts'],
  lines_refused: ['Refused lines', 'lines', 'refused', 'List lines'],
  payment_instructions_refused: [
    'Payment instructions refused or not verified',
    'requests',
    'refused',
    'List requests',
  ],
  documents_missing: ['Documents are missing', 'documents', 'missing', 'List documents'],
  documents_refused: ['Refused documents', 'documents', 'refused', 'List documents'],
  webhook_failing: ['A webhook fails', 'failed attempts', 'failed', 'Show endpoint'],
  submission_not_reconciled: ['A submission does not reconcile', '', 'failed', 'Show submission'],
};

/** The page below a supplier on which items of a kind are mended. */
const PAGES: Partial<Record<ActionItemView['kind'], string>> = {
  accounts_awaiting_release: '/processes?status=DRY_RUN_SUCCEEDED',
  accounts_errored: '/processes?status=ERRORED',
  dry_runs_errored: '/processes?status=DRY_RUN_ERRORED',
  lines_refused: '/refused-lines',
  payment_instructions_refused: '/payment-instructions',
  documents_missing: '/documents?state=MISSING',
  documents_refused: '/documents?state=REFUSED',
};

function pageOf({ kind, import_supplier: supplier, subject, id }: ActionItemView): string {
  if (supplier === null) return '/queues';
  if (kind === 'webhook_failing') return path('webhooks', subject ?? '');
  if (kind === 'submission_not_reconciled') return path('submissions', id ?? '');
  return `${path('suppliers', supplier)}${PAGES[kind] ?? ''}`;
}

/** The states that last until an operator acts, each with the page on which it is mended. */
export function ActionItems() {
  const query = useQuery({
    ...apiQuery<ActionItemList>(['action-items'], '/action-items'),
    refetchInterval: REFRESH_MS,
  });
  // The supplier whose accounts are released. The dialog stays when their row has gone.
  const [releasing, setReleasing] = useState<string>();
  return (
    <Panel title="Needs attention" flush>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={CircleCheck} title="Nothing needs attention" />
          ) : (
            <ul>
              {items.map((item) => (
                <ActionItemRow
                  key={`${item.kind} ${item.import_supplier ?? ''} ${item.subject ?? ''}`}
                  item={item}
                  onRelease={setReleasing}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <ProcessActionDialog
        code={releasing ?? ''}
        selection={{ status: 'DRY_RUN_SUCCEEDED' }}
        action="release"
        isOpen={releasing !== undefined}
        onClose={() => {
          setReleasing(undefined);
        }}
      />
    </Panel>
  );
}

function ActionItemRow({ item, onRelease }: { item: ActionItemView; onRelease: (code: string) => void }) {
  const { kind, import_supplier: code, subject, count, is_capped: isCapped, since } = item;
  const [title, counted, state, todo] = KINDS[kind];
  const look = lookOf(state);
  const page = pageOf(item);
  const { history } = useRouter();
  const canChange = useHasRole('operator');
  return (
    <Group component="li" className="action-item" justify="space-between" gap="xs" px="sm" py="xs">
      <div>
        <span style={{ color: colorOf(look.tone) }}>
          <look.icon size={16} />
        </span>{' '}
        <b>{title}</b> {subject !== null && <code>{subject}</code>}
        <div className="muted small">
          {code !== null && (
            <>
              <SupplierLink code={code} />
              {' · '}
            </>
          )}
          {counted !== '' && `${isCapped ? 'more than ' : ''}${formatCount(count)} ${counted}`}
          {since !== null && (
            <>
              {counted !== '' && ' · '}
              <Distance at={since} />
            </>
          )}
        </div>
      </div>
      <Group gap="xs">
        {kind === 'accounts_awaiting_release' && code !== null && canChange && (
          <Button
            onClick={() => {
              onRelease(code);
            }}
          >
            Release
          </Button>
        )}
        <Button
          component="a"
          href={`/console${page}`}
          variant="default"
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            history.push(`/console${page}`);
          }}
        >
          {todo}
        </Button>
      </Group>
    </Group>
  );
}
