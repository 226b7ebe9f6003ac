import { Breadcrumbs, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  Activity,
  CircleCheck,
  Clock,
  Download,
  Layers,
  Loader,
  OctagonX,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react';
import { useState } from 'react';
import { downloadUrl, path } from '../api/client';
import type { ReconciledMeasureView, SubmissionDetailView, SubmissionReconciliation } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Loaded, Loading, Note } from '../design/feedback';
import { formatCount, formatRate, formatShare, humanise } from '../design/format';
import { Facts, Figure, Figures, PageHead, Panel } from '../design/layout';
import { Chip, StateBar, StateChip, StateLegend } from '../design/state';
import { Distance, Moment } from '../design/time';
import { ReleaseButton } from '../import-processes/release-button';
import { polled } from '../api/query-client';
import { useHasRole } from '../session/session';
import { AbortSubmission } from './abort-submission';
import { RollBackSubmission } from './roll-back-submission';
import { countAwaiting, progressOf } from './submission-progress';
import { reconciliationQuery, submissionQuery } from './submission-queries';

const route = getRouteApi('/signed-in/submissions/$id');

/** A smaller submission is reconciled without being asked to. */
const MAX_AUTOMATIC_RECONCILIATION = 20_000;

const STATES = [
  'pending',
  'in_progress',
  'processed',
  'errored',
  'dry_run_succeeded',
  'dry_run_errored',
  'cancelled',
  'unchanged',
  'correcting',
  'corrected',
  'would_correct',
  'correction_errored',
] as const;

/** One book: how far it is, whether it reconciles, its results, its end. */
export function SubmissionPage() {
  const { id } = route.useParams();
  const query = useQuery({ ...submissionQuery(id), ...polled });
  const canChange = useHasRole('operator');
  const { data } = query;
  return (
    <>
      <PageHead
        title={data?.reference ?? `Submission ${id}`}
        trail={
          <Breadcrumbs>
            {data && (
              <Link to="/suppliers/$code" params={{ code: data.import_supplier }}>
                {data.import_supplier}
              </Link>
            )}
            {data && (
              <Link to="/suppliers/$code/submissions" params={{ code: data.import_supplier }}>
                Submissions
              </Link>
            )}
            <span aria-current="page">{data?.reference ?? id}</span>
          </Breadcrumbs>
        }
        state={data && <StateChip state={data.status} />}
        detail={
          data && (
            <>
              Submission {data.id}, opened by {data.opened_by} <Distance at={data.created_at} />
            </>
          )
        }
        actions={
          data &&
          canChange && (
            <>
              <ReleaseButton
                code={data.import_supplier}
                submission={data.id}
                isOffered={countAwaiting(data) > 0}
              />
              <AbortSubmission submission={data} />
              {data.kind === 'accounts' && <RollBackSubmission submission={data} />}
            </>
          )
        }
      />
      <Loaded query={query} lines={8}>
        {(submission) => (
          <>
            {countAwaiting(submission) > 0 && (
              <Note tone="warn">
                Accounts that wait for their release: {formatCount(countAwaiting(submission))}. They are
                created once they are released.
              </Note>
            )}
            <Progress submission={submission} />
            <Plan plan={submission.plan} />
            <ReconciliationPanel submission={submission} />
            <div className="columns">
              <Results submission={submission} />
              <Panel title="Submission">
                <Facts
                  facts={[
                    ['Opened', <Moment key="opened" at={submission.created_at} />],
                    ['Received completely', <Moment key="completed" at={submission.completed_at} />],
                    ['Finished', <Moment key="finished" at={submission.finished_at} />],
                    ['Kind', humanise(submission.kind)],
                    ...(submission.kind === 'accounts' ? [['Mode', humanise(submission.mode)] as const] : []),
                    ['Dry run only', submission.is_dry_run ? 'Yes' : 'No'],
                    ...Object.entries(submission.expected as Record<string, string | number>).map(
                      ([measure, value]) =>
                        [`Expected ${wordsOf(measure).toLowerCase()}`, formatMeasure(value)] as const,
                    ),
                  ]}
                />
              </Panel>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** What a rehearsal has found that the submission would do. */
function Plan({ plan }: { plan: SubmissionDetailView['plan'] }) {
  if (plan === null) return null;
  return (
    <Panel title="Plan" note="what the same book would do without the dry run">
      <Facts
        facts={[
          ['New', formatCount(plan.would_create)],
          ['Corrected', formatCount(plan.would_correct)],
          ['Unchanged', formatCount(plan.unchanged)],
          ['Refused', formatCount(plan.refused)],
        ]}
      />
    </Panel>
  );
}

function Progress({ submission }: { submission: SubmissionDetailView }) {
  const { counts } = submission;
  const states = Object.fromEntries(STATES.map((state) => [state, counts[state]]));
  const { accepted, ended, failed } = progressOf(submission);
  const noun = submission.kind === 'additions' ? 'Lines' : 'Accounts';
  return (
    <>
      <Figures>
        <Figure
          label="Progress"
          icon={Activity}
          value={accepted > 0 ? formatShare(ended / accepted) : '–'}
          note={`${formatCount(ended)} of ${formatCount(accepted)}`}
        />
        <Figure
          label="Received"
          icon={Layers}
          value={formatCount(counts.received)}
          note={`${formatCount(counts.refused)} refused, ${formatCount(counts.repeated)} repeated`}
        />
        <Figure
          label="Errors"
          icon={OctagonX}
          value={formatCount(failed)}
          {...(failed > 0 ? { tone: 'bad' as const } : {})}
        />
        <Figure
          label="With warnings"
          icon={TriangleAlert}
          value={formatCount(submission.accounts_with_warnings)}
          note="of imported and rehearsed accounts"
        />
        <Figure
          label={`${noun} a second`}
          icon={Activity}
          value={submission.processed_per_second === null ? '–' : formatRate(submission.processed_per_second)}
          {...(submission.finished_at === null ? {} : { note: 'mean until its end' })}
        />
        <Figure
          label="Estimated end"
          icon={Clock}
          value={<Distance at={submission.estimated_end_at} side="future" />}
        />
      </Figures>
      <Panel
        title={`States of ${noun.toLowerCase()}`}
        note={
          <>
            counted <Distance at={submission.counted_at} side="past" />
          </>
        }
      >
        <Stack gap="xs">
          <StateBar states={states} />
          <StateLegend states={states} />
          <p className="small">
            {submission.kind === 'accounts' && (
              <Link
                to="/suppliers/$code/processes"
                params={{ code: submission.import_supplier }}
                search={{ submission: submission.id }}
              >
                List its processes
              </Link>
            )}
            {counts.refused > 0 && (
              <>
                {submission.kind === 'accounts' && ', '}
                <Link
                  to="/suppliers/$code/refused-lines"
                  params={{ code: submission.import_supplier }}
                  search={{ submission: submission.id }}
                >
                  list its refused lines
                </Link>
              </>
            )}
          </p>
        </Stack>
      </Panel>
    </>
  );
}

/** A count as a number; decimal text, which is money, exactly as it is. */
const formatMeasure = (value: number | string): string =>
  typeof value === 'number' ? formatCount(value) : value;

const isZero = (value: number | string): boolean => /^-?0+(\.0+)?$/.test(String(value));

/** A measure in words, such as "Total of charges". */
function wordsOf(measure: string): string {
  const [, summed] = /^(.+)_total$/.exec(measure) ?? [];
  return summed === undefined ? humanise(measure) : `Total of ${humanise(summed).toLowerCase()}s`;
}

function nameOfMeasure({ measure, currency, unit, missing }: ReconciledMeasureView): string {
  const name = wordsOf(measure);
  if (currency) return `${name} (${currency}${unit === 'minor' ? ', minor units' : ''})`;
  return missing ? `${name} (${formatCount(missing)} not in the store yet)` : name;
}

const WOULD_BE_IMPORTED: Column<ReconciledMeasureView> = {
  id: 'would-be-imported',
  header: 'Would be imported',
  isFigure: true,
  cell: ({ would_be_imported: rehearsed }) => formatMeasure(rehearsed),
};

const MEASURE_COLUMNS: readonly Column<ReconciledMeasureView>[] = [
  {
    id: 'measure',
    header: 'Measure',
    isRowHeader: true,
    cell: nameOfMeasure,
  },
  {
    id: 'expected',
    header: 'Expected',
    isFigure: true,
    cell: ({ expected }) =>
      expected === null ? <span className="muted">not stated</span> : formatMeasure(expected),
  },
  { id: 'received', header: 'Received', isFigure: true, cell: ({ received }) => formatMeasure(received) },
  { id: 'imported', header: 'Imported', isFigure: true, cell: ({ imported }) => formatMeasure(imported) },
  {
    id: 'refused',
    header: 'Refused or errored',
    isFigure: true,
    cell: ({ refused_or_errored: refused }) => formatMeasure(refused),
  },
  { id: 'erased', header: 'Erased', isFigure: true, cell: ({ erased }) => formatMeasure(erased) },
  {
    id: 'corrected-since',
    header: 'Corrected since',
    isFigure: true,
    cell: ({ corrected_since: corrected }) => formatMeasure(corrected),
  },
  {
    id: 'difference',
    header: 'Difference',
    isFigure: true,
    cell: ({ difference }) =>
      isZero(difference) ? (
        formatMeasure(difference)
      ) : (
        <b className="bad-text">{formatMeasure(difference)}</b>
      ),
  },
];

const RECONCILED_ACCOUNTS = [
  'created',
  'corrected',
  'unchanged',
  'corrected_since',
  'taken_back',
  'erased',
] as const;

const REHEARSAL_COLUMNS = MEASURE_COLUMNS.flatMap((column) =>
  column.id === 'imported' ? [column, WOULD_BE_IMPORTED] : [column],
);

function ReconciliationPanel({ submission }: { submission: SubmissionDetailView }) {
  const [isWanted, setWanted] = useState(false);
  const isSmall = submission.counts.received <= MAX_AUTOMATIC_RECONCILIATION;
  const query = useQuery({ ...reconciliationQuery(submission), enabled: isWanted || isSmall });
  return (
    <Panel
      title="Reconciliation"
      note={query.data && <ReconciledChip reconciliation={query.data} status={submission.status} />}
      flush
      actions={
        <Button
          variant="default"
          loading={query.isFetching}
          leftSection={<RefreshCw size={14} />}
          onClick={() => {
            setWanted(true);
            if (query.isFetched) void query.refetch();
          }}
        >
          {query.data ? 'Reconcile again' : 'Reconcile'}
        </Button>
      }
    >
      {query.fetchStatus === 'idle' && !query.data && !query.error ? (
        <Text p="sm" c="dimmed">
          Compares what the supplier expected, what was received and what is in the account tables. It can
          take minutes for a large book.
        </Text>
      ) : query.isLoading ? (
        <Loading />
      ) : (
        <Loaded query={query}>
          {(reconciliation) => (
            <>
              {submission.kind === 'accounts' && <ReconciledAccounts reconciliation={reconciliation} />}
              <DataTable
                caption="Reconciliation"
                columns={reconciliation.is_dry_run ? REHEARSAL_COLUMNS : MEASURE_COLUMNS}
                rows={reconciliation.measures}
                rowId={({ measure, currency }) => `${measure} ${currency ?? ''}`}
              />
            </>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

/** What has become of the accounts of a submission, without those of which there are none. */
function ReconciledAccounts({ reconciliation }: { reconciliation: SubmissionReconciliation }) {
  const found = RECONCILED_ACCOUNTS.filter((name) => reconciliation[name] > 0);
  if (found.length === 0) return null;
  return (
    <Text p="sm">
      Accounts:{' '}
      {found.map((name) => `${formatCount(reconciliation[name])} ${humanise(name).toLowerCase()}`).join(', ')}
    </Text>
  );
}

function ReconciledChip({
  reconciliation,
  status,
}: {
  reconciliation: SubmissionReconciliation;
  status: SubmissionDetailView['status'];
}) {
  if (reconciliation.reconciled)
    return (
      <Chip
        tone="good"
        icon={CircleCheck}
        label={reconciliation.is_dry_run ? 'Rehearsal reconciled' : 'Reconciled'}
      />
    );
  if (reconciliation.unfinished > 0)
    return (
      <Chip tone="busy" icon={Loader} label={`${formatCount(reconciliation.unfinished)} not finished`} />
    );
  if (status === 'AWAITING_RELEASE') return <StateChip state={status} />;
  return <Chip tone="bad" icon={OctagonX} label="Not reconciled" />;
}

const DOWNLOADS = [
  ['All as CSV', { format: 'csv' }],
  ['All as NDJSON', { format: 'ndjson' }],
  ['Errors as CSV', { format: 'csv', outcome: 'refused,errored,dry_run_errored,correction_errored' }],
] as const;

function Results({ submission: { id, kind } }: { submission: SubmissionDetailView }) {
  const results = `${path('submissions', id)}/results`;
  return (
    <Panel title="Results">
      <p className="muted">
        {kind === 'additions'
          ? 'One row for each line, in the order of arrival, with its kind, its outcome and its errors, and how many of its items were added, existed, differ from those that existed, or were moved into the open period.'
          : 'One row for each account, in the order of arrival, with its outcome, its errors, its warnings and the digest of its payload. A further line about an account has a row of its own, which names the row that counts.'}
      </p>
      <Group mt="sm" gap="xs">
        {DOWNLOADS.map(([label, parameters]) => (
          <Button
            key={label}
            component="a"
            href={downloadUrl(results, parameters)}
            download
            variant="default"
            leftSection={<Download size={14} />}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Panel>
  );
}
