import { Button, Group, Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, CircleCheck, Clock, Download, Hourglass, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { downloadUrl, path } from '../api/client';
import type {
  FunnelView,
  SupplierDetailView,
  SupplierQuotasView,
  ThroughputView,
  TopErrorView,
} from '../api/shapes';
import { DURATIONS, type Point } from '../design/chart';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { formatCount, formatDuration, formatRate, formatShare } from '../design/format';
import { Figure, Figures, minWidth, Panel } from '../design/layout';
import { colorOf, StateBar, StateLegend } from '../design/state';
import { AsOf, Distance } from '../design/time';
import { type Series, TimeSeries } from '../design/time-series';
import { type Span, SPANS, supplierQuery, throughputQuery } from './supplier-queries';

const route = getRouteApi('/signed-in/suppliers/$code');

/** How far the migration of a supplier is, how fast it goes, and what fails. */
export function SupplierProgressPage() {
  const { code } = route.useParams();
  const { data } = useQuery(supplierQuery(code));
  if (!data) return null;
  return (
    <>
      <SupplierFigures detail={data} />
      <Panel
        title="States of accounts"
        note={
          <>
            counted <Distance at={data.summary.counted_at} side="past" />
          </>
        }
      >
        <Stack gap="xs">
          <StateBar states={data.summary.states} />
          <StateLegend states={data.summary.states} />
        </Stack>
      </Panel>
      <Panel title="Funnel">
        <FunnelSteps code={code} funnel={data.funnel} />
      </Panel>
      <Charts code={code} />
      <Panel title="Stored beside accounts">
        <Quotas quotas={data.quotas} />
      </Panel>
      <Panel
        title="Most frequent errors"
        flush
        actions={
          data.top_errors.length > 0 && (
            <Button
              component="a"
              href={downloadUrl(`${path('suppliers', code)}/failed-accounts`)}
              download
              variant="default"
              leftSection={<Download size={14} />}
            >
              Failed accounts as CSV
            </Button>
          )
        }
      >
        {data.top_errors.length === 0 ? (
          <Empty icon={CircleCheck} title="No account has an error, and no line was refused" />
        ) : (
          <DataTable
            caption="Most frequent errors"
            columns={errorColumns(code)}
            rows={data.top_errors}
            rowId={({ code: error }) => error}
          />
        )}
      </Panel>
    </>
  );
}

const QUOTAS: readonly (readonly [keyof SupplierQuotasView, string])[] = [
  ['open_submissions', 'Open submissions'],
  ['refused_lines', 'Refused lines'],
  ['staged_accounts', 'Staged accounts that wait'],
  ['audit_entries', 'Audit entries of 24 hours'],
  ['account_reads', 'Accounts read back in 24 hours'],
  ['idempotency_keys', 'Idempotency keys of the organisation'],
  ['webhook_attempts', 'Webhook attempts'],
];

/** What the supplier has stored beside its accounts, of what it may. */
function Quotas({ quotas }: { quotas: SupplierQuotasView }) {
  return (
    <ul className="columns" style={minWidth('11rem')}>
      {QUOTAS.map(([name, label]) => {
        const { used, limit } = quotas[name];
        // The oldest attempts are deleted, so that a full quota of them refuses nothing.
        const isFull = used >= limit && name !== 'webhook_attempts';
        return (
          <li key={name}>
            <div className="muted small">{label}</div>
            <b>{formatCount(used)}</b> <span className="muted small">of {formatCount(limit)}</span>
            <Progress
              value={(used / limit) * 100}
              color={colorOf(isFull ? 'bad' : 'calm')}
              aria-hidden="true"
            />
          </li>
        );
      })}
    </ul>
  );
}

function SupplierFigures({ detail: { summary, latency_ms: latency } }: { detail: SupplierDetailView }) {
  return (
    <Figures>
      <Figure
        label="Accounts a second"
        icon={Activity}
        value={formatRate(summary.processed_per_second)}
        note={`${formatRate(summary.processed_per_second_of_minute)} over the last minute`}
      />
      <Figure
        label="Mean latency"
        icon={Hourglass}
        value={latency === null ? '–' : formatDuration(latency)}
        note="over the last hour"
      />
      <Figure
        label="Oldest waiting"
        icon={Clock}
        value={<Distance at={summary.oldest_waiting_at} missing="none" side="past" />}
      />
      <Figure
        label="Errors"
        icon={OctagonX}
        value={formatCount(summary.errored)}
        {...(summary.errored > 0 ? { tone: 'bad' as const } : {})}
      />
      <Figure
        label="Estimated end"
        icon={CircleCheck}
        value={<Distance at={summary.estimated_end_at} side="future" />}
      />
    </Figures>
  );
}

const STEPS: readonly (readonly [keyof FunnelView, string])[] = [
  ['received', 'Received'],
  ['valid', 'Valid'],
  ['dry_run_succeeded', 'Dry run'],
  ['created', 'Created'],
];

/** The steps of all accounts, each with its share of those that were received. */
function FunnelSteps({ code, funnel }: { code: string; funnel: FunnelView }) {
  return (
    <>
      <ol className="columns" style={minWidth('9.5rem')}>
        {STEPS.map(([name, label]) => {
          const share = funnel.received > 0 ? funnel[name] / funnel.received : 0;
          return (
            <li key={name}>
              <div className="muted small">{label}</div>
              <b>{formatCount(funnel[name])}</b>{' '}
              <span className="muted small">{funnel.received > 0 ? formatShare(share) : '–'}</span>
              <Progress value={share * 100} color={colorOf('good')} aria-hidden="true" />
            </li>
          );
        })}
      </ol>
      <p className="muted small">
        {formatCount(funnel.errored)} with an error, {formatCount(funnel.cancelled)} cancelled, and beside
        them{' '}
        <Link to="/suppliers/$code/refused-lines" params={{ code }}>
          {formatCount(funnel.refused_lines)} refused lines
        </Link>
        . Dry run counts accounts whose dry run has succeeded. Of the created accounts that have documents or
        an e-mail, all are settled for {formatCount(funnel.followed_up)}.
      </p>
    </>
  );
}

const THROUGHPUT: readonly Series[] = [
  { label: 'Accepted', tone: 'calm', dash: [6, 4] },
  { label: 'Processed', tone: 'good', fill: true },
  { label: 'Errored', tone: 'bad', dash: [2, 3] },
];
const LATENCY: readonly Series[] = [{ label: 'Mean latency', tone: 'held', fill: true }];

function Charts({ code }: { code: string }) {
  const [span, setSpan] = useState<Span>('hour');
  const query = useQuery(throughputQuery(code, span));
  const choice = (
    <Group gap={0} role="group" aria-label="Time span">
      {Object.entries(SPANS).map(([name, { label }]) => (
        <Button
          key={name}
          variant={span === name ? 'filled' : 'default'}
          aria-pressed={span === name}
          onClick={() => {
            setSpan(name as Span);
          }}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
  return (
    <Panel
      title="Throughput and latency"
      note={query.data && <AsOf at={query.dataUpdatedAt} />}
      actions={choice}
    >
      <Loaded query={query} lines={6}>
        {(throughput) => <ChartPair throughput={throughput} />}
      </Loaded>
    </Panel>
  );
}

function ChartPair({ throughput: { points, step_seconds: step } }: { throughput: ThroughputView }) {
  const rows = points as unknown as readonly Point[];
  const unit = step === 60 ? 'minute' : 'hour';
  return (
    <div className="columns">
      <TimeSeries title={`Accounts in each ${unit}, the last one so far`} series={THROUGHPUT} points={rows} />
      <TimeSeries
        title="Mean time from acceptance to creation"
        series={LATENCY}
        scale={DURATIONS}
        points={rows.map(([seconds, , , , latency]): Point => [seconds, latency ?? null])}
      />
    </div>
  );
}

const errorColumns = (code: string): readonly Column<TopErrorView>[] => [
  {
    id: 'code',
    header: 'Error',
    isRowHeader: true,
    cell: ({ code: error }) => <code>{error}</code>,
  },
  {
    id: 'count',
    header: 'Accounts',
    isFigure: true,
    cell: ({ code: error, count }) => (
      <Link to="/suppliers/$code/processes" params={{ code }} search={{ error_code: error }}>
        {formatCount(count)}
      </Link>
    ),
  },
  {
    id: 'refused',
    header: 'Refused lines',
    isFigure: true,
    cell: ({ code: error, refused_lines: count }) => (
      <Link to="/suppliers/$code/refused-lines" params={{ code }} search={{ error_code: error }}>
        {formatCount(count)}
      </Link>
    ),
  },
  { id: 'share', header: 'Share', isFigure: true, cell: ({ share }) => formatShare(share) },
  {
    id: 'example',
    header: 'Example',
    cell: ({ example }) =>
      example && (
        <Link to="/suppliers/$code/processes/$id" params={{ code, id: example.process_id }}>
          {example.external_account_number}
        </Link>
      ),
  },
];
