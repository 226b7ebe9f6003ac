import { Box, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Activity,
  Building2,
  CircleCheck,
  CircleDashed,
  Clock,
  Cpu,
  Database,
  HardDrive,
  Layers,
  type LucideIcon,
  OctagonX,
  Plug,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { HealthView, OverviewView, SubmissionSummaryView, SupplierSummaryView } from '../api/shapes';
import { DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { formatCount, formatRate, formatTimeOfDay } from '../design/format';
import { Figure, Figures, minWidth, PageHead, Panel } from '../design/layout';
import { SupplierLink } from '../design/links';
import { Sparkline } from '../design/sparkline';
import { colorOf, lookOf, StateBar, StateChip, StateLegend } from '../design/state';
import { Distance } from '../design/time';
import { sum } from '../design/sums';
import { SUBMISSION_COLUMNS } from '../submissions/submission-columns';
import { breakerState, vendorName } from './vendor-name';
import { useIsLive } from '../layout/live-indicator';
import { ActionItems } from './action-items';
import { overviewQuery } from './overview-query';

/** The suppliers of an overview, whose figures are summed up. */
const MAX_SUPPLIERS = 200;

/** Every migration at a glance. */
export function OverviewPage() {
  const query = useQuery(overviewQuery);
  const isPart = query.data?.suppliers.length === MAX_SUPPLIERS;
  return (
    <>
      <PageHead
        title="Overview"
        detail={
          query.data &&
          `As of ${formatTimeOfDay(query.data.generated_at)}${isPart ? `, of the first ${MAX_SUPPLIERS} suppliers by code` : ''}`
        }
      />
      <Loaded query={query}>
        {(overview) => (
          <>
            <Totals overview={overview} />
            <ActionItems />
            <HealthStrip health={overview.health} />
            <Suppliers suppliers={overview.suppliers} />
            <Submissions submissions={overview.submissions_in_progress} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Totals({ overview: { suppliers } }: { overview: OverviewView }) {
  const waiting = sum(suppliers.map(({ states }) => states.PENDING + states.IN_PROGRESS));
  const errored = sum(suppliers.map((supplier) => supplier.errored));
  const oldest = suppliers
    .flatMap(({ oldest_waiting_at: at }) => (at === null ? [] : [at]))
    .sort()
    .at(0);
  const ongoing = suppliers.filter(({ status }) => status === 'Ongoing').length;
  return (
    <Figures>
      <Figure
        label="Accounts a second"
        icon={Activity}
        value={formatRate(sum(suppliers.map((supplier) => supplier.processed_per_second)))}
      />
      <Figure
        label="Processed"
        icon={CircleCheck}
        value={formatCount(sum(suppliers.map(({ states }) => states.PROCESSED)))}
      />
      <Figure
        label="Waiting"
        icon={Clock}
        value={formatCount(waiting)}
        note={
          oldest && (
            <>
              oldest <Distance at={oldest} side="past" />
            </>
          )
        }
      />
      <Figure label="Errors" icon={OctagonX} value={formatCount(errored)} isBad={errored > 0} />
      <Figure
        label="Suppliers ongoing"
        icon={Building2}
        value={formatCount(ongoing)}
        note={`of ${formatCount(suppliers.length)}`}
      />
    </Figures>
  );
}

const BREAKER_NOTES: Readonly<Record<string, string>> = {
  not_configured: 'no key is set',
  unknown: 'not reported',
};

/** Name, icon, state and note of a component, and the age of what is not of this moment. */
type HealthPart = [name: string, icon: LucideIcon, state: string, note: string | null, age?: ReactNode];

function HealthStrip({ health }: { health: HealthView }) {
  const isLive = useIsLive();
  const [newest] = health.workers.seen;
  // While reads fail, what they last said of the components is not known any more.
  const parts: readonly HealthPart[] = isLive
    ? [
        ['Database', Database, health.database.status, health.database.detail],
        ['Queues', Layers, health.queues.status, health.queues.detail],
        [
          'Documents',
          HardDrive,
          health.document_store.status,
          health.document_store.detail,
          <>
            checked <Distance at={health.document_store.checked_at} side="past" />
          </>,
        ],
        [
          'Workers',
          Cpu,
          health.workers.alive > 0 ? 'ok' : 'down',
          `${formatCount(health.workers.alive)} alive`,
          newest && (
            <>
              reported <Distance at={newest.last_seen_at} side="past" />
            </>
          ),
        ],
        ...health.vendors.map(({ name, breaker }): HealthPart => [
          vendorName(name),
          Plug,
          breakerState(breaker),
          BREAKER_NOTES[breaker] ?? `breaker ${breaker}`,
        ]),
      ]
    : [
        ['Portage', Activity, 'down', 'does not answer'],
        ...['Database', 'Queues', 'Documents', 'Workers'].map((name): HealthPart => [
          name,
          CircleDashed,
          'unknown',
          'not known',
        ]),
      ];
  return (
    <section aria-label="Health">
      <VisuallyHidden component="h2">Health</VisuallyHidden>
      <ul className="columns" style={minWidth('9.5rem')}>
        {parts.map(([name, Icon, state, note, age]) => {
          const look = lookOf(state);
          return (
            <Paper component="li" key={name} withBorder p="sm">
              <Icon size={13} /> <b>{name}</b>
              <div className="small">
                <Text span inherit c={colorOf(look.tone)}>
                  <look.icon size={16} />
                </Text>{' '}
                {note ?? look.label}
                {age && <span className="muted"> {age}</span>}
              </div>
            </Paper>
          );
        })}
      </ul>
    </section>
  );
}

function Suppliers({ suppliers }: { suppliers: readonly SupplierSummaryView[] }) {
  return (
    <Panel title="Suppliers" flush>
      {suppliers.length === 0 ? (
        <Empty icon={Building2} title="There are no suppliers yet">
          An administrator creates organisations, suppliers and keys under{' '}
          <Link to="/keys">Organisations and keys</Link>.
        </Empty>
      ) : (
        <ul>
          {suppliers.map((supplier) => (
            <SupplierRow key={supplier.code} supplier={supplier} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function SupplierRow({ supplier }: { supplier: SupplierSummaryView }) {
  const { code, organisation, states } = supplier;
  return (
    <Box component="li" className="supplier-row columns" style={minWidth('12rem')} p="sm">
      <div>
        <h3>
          <SupplierLink code={code} />
        </h3>
        <p className="muted small">{organisation}</p>
        <StateChip state={supplier.status} />
      </div>
      <Stack gap="xs">
        <StateBar states={states} />
        <StateLegend states={states} />
      </Stack>
      <div>
        <Sparkline values={supplier.sparkline} what="Accounts processed" />
        <p className="small">
          <b>{formatRate(supplier.processed_per_second)}</b> <span className="muted">accounts a second</span>
        </p>
      </div>
      <ul className="small">
        <li>
          <span className="muted">Oldest waiting</span>{' '}
          <Distance at={supplier.oldest_waiting_at} missing="none" side="past" />
        </li>
        <li>
          <span className="muted">Errors</span>{' '}
          {supplier.errored > 0 ? (
            <Link to="/suppliers/$code/processes" params={{ code }} search={{ status: 'ERRORED' }}>
              {formatCount(supplier.errored)}
            </Link>
          ) : (
            '0'
          )}
        </li>
        <li>
          <span className="muted">Estimated end</span>{' '}
          <Distance at={supplier.estimated_end_at} side="future" />
        </li>
      </ul>
    </Box>
  );
}

function Submissions({ submissions }: { submissions: readonly SubmissionSummaryView[] }) {
  return (
    <Panel title="Submissions in progress" flush>
      <DataTable
        caption="Submissions in progress"
        columns={SUBMISSION_COLUMNS}
        rows={submissions}
        rowId={({ id }) => id}
        empty={<Empty icon={Layers} title="No submission is in progress" />}
      />
    </Panel>
  );
}
