import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Loader, OctagonX, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { apiQuery, path } from '../api/client';
import type { ReconciledMeasureView, SubmissionDetailView, SubmissionReconciliation } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Loaded, Loading } from '../design/feedback';
import { formatCount, humanise } from '../design/format';
import { Panel } from '../design/layout';
import { Chip, StateChip } from '../design/state';

/** A smaller submission is reconciled without being asked to. */
const MAX_AUTOMATIC_RECONCILIATION = 20_000;

/** A count as a number; decimal text, which is money, exactly as it is. */
export const formatMeasure = (value: number | string): string =>
  typeof value === 'number' ? formatCount(value) : value;

const isZero = (value: number | string): boolean => /^-?0+(\.0+)?$/.test(String(value));

/** A measure in words, such as "Total of charges". */
export function wordsOf(measure: string): string {
  const [, summed] = /^(.+)_total$/.exec(measure) ?? [];
  return summed === undefined ? humanise(measure) : `Total of ${humanise(summed).toLowerCase()}s`;
}

function nameOfMeasure({ measure, currency, unit, missing }: ReconciledMeasureView): string {
  const name = wordsOf(measure);
  if (currency) return `${name} (${currency}${unit === 'minor' ? ', minor units' : ''})`;
  return missing ? `${name} (${formatCount(missing)} not in the store yet)` : name;
}

type Measured =
  | 'received'
  | 'imported'
  | 'would_be_imported'
  | 'refused_or_errored'
  | 'erased'
  | 'corrected_since';

const measured = (header: string, name: Measured): Column<ReconciledMeasureView> => ({
  header,
  isFigure: true,
  cell: (measure) => formatMeasure(measure[name]),
});

const columns = (isDryRun: boolean): readonly Column<ReconciledMeasureView>[] => [
  { header: 'Measure', isRowHeader: true, cell: nameOfMeasure },
  {
    header: 'Expected',
    isFigure: true,
    cell: ({ expected }) =>
      expected === null ? <span className="muted">not stated</span> : formatMeasure(expected),
  },
  measured('Received', 'received'),
  measured('Imported', 'imported'),
  ...(isDryRun ? [measured('Would be imported', 'would_be_imported')] : []),
  measured('Refused or errored', 'refused_or_errored'),
  measured('Erased', 'erased'),
  measured('Corrected since', 'corrected_since'),
  {
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

/** What the supplier expected, what was received, and what is in the account tables, by measure. */
export function ReconciliationPanel({ submission }: { submission: SubmissionDetailView }) {
  const [isWanted, setWanted] = useState(false);
  const isSmall = submission.counts.received <= MAX_AUTOMATIC_RECONCILIATION;
  const { id, status } = submission;
  // Computed from the rows of the submission, so it is read on request, and again in another state only.
  const query = useQuery({
    ...apiQuery<SubmissionReconciliation>(
      ['reconciliation', id, status],
      `${path('submissions', id)}/reconciliation`,
    ),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    enabled: isWanted || isSmall,
  });
  return (
    <Panel
      title="Reconciliation"
      note={query.data && <ReconciledChip reconciliation={query.data} status={status} />}
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
                columns={columns(reconciliation.is_dry_run)}
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
