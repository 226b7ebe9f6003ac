import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, CirclePause, CirclePlay, Cpu, ExternalLink, OctagonX, Pause, Play } from 'lucide-react';
import { apiQuery, change, path } from '../api/client';
import type { QueueList, QueueView, WorkerList, WorkerView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { Empty, Loaded } from '../design/feedback';
import { formatCount, formatRate } from '../design/format';
import { PageHead, Panel } from '../design/layout';
import { Chip, StateChip } from '../design/state';
import { AsOf, Distance, Moment } from '../design/time';
import { useHasRole } from '../session/session';

const REFRESH_MS = 5_000;

/** Bull Board, which takes the same session. */
export const BOARD_URL = '/queues/';

/** What waits in the queues, and who works on it. */
export function QueuesPage() {
  const canChange = useHasRole('operator');
  const queues = useQuery({
    ...apiQuery<QueueList>(['queues'], '/queues'),
    refetchInterval: REFRESH_MS,
  });
  const workers = useQuery({
    ...apiQuery<WorkerList>(['workers'], '/workers'),
    refetchInterval: REFRESH_MS,
  });
  const columns = queueColumns(workers.data?.items);
  return (
    <>
      <PageHead
        title="Queues and workers"
        detail={
          queues.data && (
            <>
              <AsOf at={queues.dataUpdatedAt} />. Retries are those of the last hour, by the last report of
              each worker.
            </>
          )
        }
        actions={
          <Button
            component="a"
            href={BOARD_URL}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<ExternalLink size={14} />}
          >
            Bull Board
          </Button>
        }
      />
      <Panel title="Queues" flush>
        <Loaded query={queues}>
          {({ items }) => (
            <DataTable
              caption="Queues"
              columns={canChange ? [...columns, ACTION_COLUMN] : columns}
              rows={items}
              rowId={({ name }) => name}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title="Workers" flush>
        <Loaded query={workers}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon={Cpu} title="No worker has reported">
                Accounts are accepted and wait. Start a worker to process them.
              </Empty>
            ) : (
              <DataTable caption="Workers" columns={WORKER_COLUMNS} rows={items} rowId={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}

const figure = (id: keyof QueueView, header: string): Column<QueueView> => ({
  id,
  header,
  isFigure: true,
  cell: (queue) => {
    const count = Number(queue[id]);
    return count === 0 ? <span className="muted">0</span> : formatCount(count);
  },
});

/** @param workers those that have reported; undefined while they are not known */
const queueColumns = (workers: readonly WorkerView[] | undefined): readonly Column<QueueView>[] => [
  {
    id: 'name',
    header: 'Queue',
    isRowHeader: true,
    cell: ({ name, board_url: url, backend }) => (
      <>
        <a href={url} target="_blank" rel="noreferrer" title="Open in Bull Board">
          {name}
        </a>{' '}
        <span className="muted small">{backend === 'redis' ? 'Redis' : 'PostgreSQL'}</span>
      </>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ name, paused }) => {
      if (paused) return <Chip tone="warn" icon={CirclePause} label="Paused" />;
      const isTaken = workers?.some(
        ({ is_alive: isAlive, queues }) =>
          isAlive && queues.some(({ queue, is_consuming: isConsuming }) => queue === name && isConsuming),
      );
      return isTaken === false ? (
        <Chip tone="bad" icon={OctagonX} label="No worker" />
      ) : (
        <Chip tone="good" icon={CirclePlay} label="Running" />
      );
    },
  },
  {
    id: 'depth',
    header: 'Waiting',
    isFigure: true,
    cell: ({ waiting, prioritized, waiting_accounts: accounts }) => (
      <>
        {formatCount(waiting + prioritized)}
        {accounts !== null && <div className="muted small">{formatCount(accounts)} accounts</div>}
      </>
    ),
  },
  {
    id: 'failed',
    header: 'Failed',
    isFigure: true,
    cell: ({ failed }) =>
      failed === 0 ? <span className="muted">0</span> : <b className="bad-text">{formatCount(failed)}</b>,
  },
  {
    id: 'oldest',
    header: 'Oldest waiting',
    cell: ({ oldest_waiting_at: at }) => <Distance at={at} missing="none" side="past" />,
  },
  figure('active', 'Active'),
  figure('delayed', 'Deferred'),
  figure('retries', 'Retries'),
  figure('completed', 'Kept'),
  {
    id: 'rate',
    header: 'Jobs a second',
    isFigure: true,
    cell: ({ rate_per_second: rate }) => formatRate(rate),
  },
];

const ACTION_COLUMN: Column<QueueView> = {
  id: 'actions',
  header: 'Actions',
  cell: (queue) => <QueueAction queue={queue} />,
};

/** What waits while a queue is paused. */
const PAUSE_EFFECTS: Readonly<Record<QueueView['name'], string>> = {
  'account-imports':
    'No account is imported. Accounts are accepted meanwhile, and wait. An account whose schedule window ends meanwhile is cancelled. Requests that process a staged account are stored, and answered 503.',
  transactions: 'Requests that add transactions are stored, and answered 503 until the queue is resumed.',
  'payment-instructions':
    'Requests that add payment instructions are stored, and answered 503 until the queue is resumed.',
  additions:
    'Additions that suppliers upload as submissions wait, and are performed once the queue is resumed.',
  documents: 'Documents of imported accounts are not inspected, so that these accounts are not followed up.',
  emails: 'No welcome e-mail is sent. E-mails wait, and are sent once the queue is resumed.',
  maintenance:
    'Statement periods do not roll over, payloads and requests whose time has passed are not erased, finished submissions get no event, and completed jobs are not removed. Accounts are imported, and the figures are those of the moment. The work is made up for once the queue is resumed.',
};

function QueueAction({ queue }: { queue: QueueView }) {
  const { name, paused, active, waiting_accounts: accounts } = queue;
  const jobCount = queue.waiting + queue.prioritized;
  const waiting = `Jobs that wait: ${formatCount(jobCount)}${
    accounts === null ? '' : `. Accounts that wait: ${formatCount(accounts)}`
  }.`;
  const act = async (action: 'pause' | 'resume') => change('POST', `${path('queues', name)}/${action}`);
  return paused ? (
    <ActionButton
      key="Resume"
      label="Resume"
      icon={Play}
      title={`Resume ${name}`}
      confirmLabel="Resume queue"
      run={async () => act('resume')}
      renews={[['queues']]}
      onDone={() => `Queue ${name} runs.`}
    >
      <p>Workers take its jobs again. {waiting}</p>
    </ActionButton>
  ) : (
    <ActionButton
      key="Pause"
      label="Pause"
      icon={Pause}
      title={`Pause ${name}`}
      confirmLabel="Pause queue"
      run={async () => act('pause')}
      renews={[['queues']]}
      onDone={() => `Queue ${name} is paused.`}
    >
      <p>
        No worker takes a job of this queue until it is resumed. {waiting} Active jobs, which end:{' '}
        {formatCount(active)}.
      </p>
      <p>{PAUSE_EFFECTS[name]}</p>
    </ActionButton>
  );
}

const WORKER_COLUMNS: readonly Column<WorkerView>[] = [
  { id: 'host', header: 'Host', isRowHeader: true, cell: ({ host }) => host },
  {
    id: 'state',
    header: 'State',
    cell: ({ is_alive: isAlive }) =>
      isAlive ? <StateChip state="ok" label="Alive" /> : <StateChip state="down" label="Lost" />,
  },
  {
    id: 'queues',
    header: 'Queues',
    cell: ({ queues }) => (
      <Group component="ul" gap="xs" className="small">
        {queues.map(({ queue, active, is_consuming: isConsuming }) => (
          <li key={queue}>
            {isConsuming ? <Check size={12} /> : <Pause size={12} />} {queue}
            {active > 0 && <b> {formatCount(active)} active</b>}
            {!isConsuming && <span className="bad-text"> not consuming</span>}
          </li>
        ))}
      </Group>
    ),
  },
  { id: 'release', header: 'Release', cell: ({ release }) => release },
  { id: 'started', header: 'Started', cell: ({ started_at: at }) => <Moment at={at} /> },
  { id: 'seen', header: 'Last report', cell: ({ last_seen_at: at }) => <Distance at={at} side="past" /> },
];
