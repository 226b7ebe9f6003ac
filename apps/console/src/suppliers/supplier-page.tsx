import { Button, Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Activity, CircleCheck, Clock, Download, Hourglass, OctagonX } from 'lucide-react';
import { downloadUrl, path } from '../api/client';
import type { FunnelView, SupplierDetailView, SupplierQuotasView, TopErrorView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty } from '../design/feedback';
import { formatCount, formatDuration, formatRate, formatShare } from '../design/format';
import { Figure, Figures, minWidth, Panel } from '../design/layout';
import { ProcessLink } from '../design/links';
import { Sparkline } from '../design/sparkline';
import { colorOf, StateBar, StateLegend } from '../design/state';
import { Distance } from '../design/time';
import { supplierQuery } from './supplier-queries';

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
      <Panel title="Throughput">
        <Sparkline values={data.summary.sparkline} what="Accounts processed" />
      </Panel>
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
        <DataTable
          caption="Most frequent errors"
          columns={errorColumns(code)}
          rows={data.top_errors}
          rowId={({ code: error }) => error}
          empty={<Empty icon={CircleCheck} title="No account has an error, and no line was refused" />}
        />
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
        isBad={summary.errored > 0}
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

const errorColumns = (code: string): readonly Column<TopErrorView>[] => [
  {
    header: 'Error',
    isRowHeader: true,
    cell: ({ code: error }) => <code>{error}</code>,
  },
  {
    header: 'Accounts',
    isFigure: true,
    cell: ({ code: error, count }) => (
      <Link to="/suppliers/$code/processes" params={{ code }} search={{ error_code: error }}>
        {formatCount(count)}
      </Link>
    ),
  },
  {
    header: 'Refused lines',
    isFigure: true,
    cell: ({ code: error, refused_lines: count }) => (
      <Link to="/suppliers/$code/refused-lines" params={{ code }} search={{ error_code: error }}>
        {formatCount(count)}
      </Link>
    ),
  },
  { header: 'Share', isFigure: true, cell: ({ share }) => formatShare(share) },
  {
    header: 'Example',
    cell: ({ example }) =>
      example && <ProcessLink code={code} id={example.process_id} number={example.external_account_number} />,
  },
];
