import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CirclePause, CirclePlay, Cpu, ExternalLink, OctagonX, Pause, Play } from 'lucide-react';
import { apiQuery, change, path } from '../api/client';
import type { QueueList, QueueView, WorkerList, WorkerView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { Empty, Loaded } from '../design/feedback';
import { formatCount, formatTimeOfDay } from '../design/format';
import { PageHead, Panel } from '../design/layout';
import { boardUrl } from '../design/links';
import { Chip, StateChip } from '../design/state';
import { Distance, Moment } from '../design/time';
import { overviewQuery } from '../overview/overview-query';
import { useHasRole } from '../session/session';

const REFRESH_MS = 5_000;

/** What waits in the queues, and who works on it. Bull Board, which takes the same session, shows the jobs. */
export function QueuesPage() {
  const canChange = useHasRole('operator');
  const queues = useQuery({ ...apiQuery<QueueList>(['queues'], '/queues'), refetchInterval: REFRESH_MS });
  const workers = useQuery({
    ...apiQuery<WorkerList>(['workers'], '/workers'),
    refetchInterval: REFRESH_MS,
  });
  const columns = queueColumns(workers.data?.items);
  return (
    <>
      <PageHead
        title="Queues and workers"
        detail={queues.data && `As of ${formatTimeOfDay(queues.dataUpdatedAt)}`}
        actions={
          <Button
            component="a"
            href="/queues/"
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
      <AccountsAtWork />
      <Panel title="Workers" flush>
        <Loaded query={workers}>
          {({ items }) => (
            <DataTable
              caption="Workers"
              columns={WORKER_COLUMNS}
              rows={items}
              rowId={({ id }) => id}
              empty={
                <Empty icon={Cpu} title="No worker has reported">
                  Accounts are accepted and wait. Start a worker to process them.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

/** The suppliers whose accounts are in progress, each with a link to them. */
function AccountsAtWork() {
  const suppliers = useQuery(overviewQuery).data?.suppliers ?? [];
  const working = suppliers.filter(({ states }) => states.IN_PROGRESS > 0);
  return (
    <Panel title="Accounts in progress">
      {working.length === 0 ? (
        <p className="muted">None.</p>
      ) : (
        <Group component="ul">
          {working.map(({ code, states }) => (
            <li key={code}>
              <Link to="/suppliers/$code/processes" params={{ code }} search={{ status: 'IN_PROGRESS' }}>
                {code}
              </Link>{' '}
              {formatCount(states.IN_PROGRESS)}
            </li>
          ))}
        </Group>
      )}
    </Panel>
  );
}

/** @param workers those that have reported; undefined while they are not known */
const queueColumns = (workers: readonly WorkerView[] | undefined): readonly Column<QueueView>[] => [
  {
    header: 'Queue',
    isRowHeader: true,
    cell: ({ name }) => (
      <a href={boardUrl(name)} target="_blank" rel="noreferrer" title="Open in Bull Board">
        {name}
      </a>
    ),
  },
  {
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
    header: 'Waiting',
    isFigure: true,
    cell: ({ waiting, prioritized, waiting_accounts: accounts }) => (
      <>
        {formatCount(waiting + prioritized)}
        {accounts !== null && <div className="muted small">{formatCount(accounts)} accounts</div>}
      </>
    ),
  },
  { header: 'Active', isFigure: true, cell: ({ active }) => formatCount(active) },
  { header: 'Deferred', isFigure: true, cell: ({ delayed }) => formatCount(delayed) },
  {
    header: 'Failed',
    isFigure: true,
    cell: ({ failed }) =>
      failed === 0 ? <span className="muted">0</span> : <b className="bad-text">{formatCount(failed)}</b>,
  },
  {
    header: 'Oldest waiting',
    cell: ({ oldest_waiting_at: at }) => <Distance at={at} missing="none" side="past" />,
  },
];

const ACTION_COLUMN: Column<QueueView> = {
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
      announce={() => `Queue ${name} runs.`}
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
      announce={() => `Queue ${name} is paused.`}
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
  { header: 'Host', isRowHeader: true, cell: ({ host }) => host },
  {
    header: 'State',
    cell: ({ is_alive: isAlive }) =>
      isAlive ? <StateChip state="ok" label="Alive" /> : <StateChip state="down" label="Lost" />,
  },
  {
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
  { header: 'Release', cell: ({ release }) => release },
  { header: 'Started', cell: ({ started_at: at }) => <Moment at={at} /> },
  { header: 'Last report', cell: ({ last_seen_at: at }) => <Distance at={at} side="past" /> },
];
