import { useQuery } from '@tanstack/react-query';
import { Link, type NavigateOptions } from '@tanstack/react-router';
import { Layers, OctagonX } from 'lucide-react';
import { polled } from '../api/query-client';
import type { SubmissionSummaryView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { formatCount, humanise } from '../design/format';
import { Paging } from '../design/paging';
import { Chip, StateChip } from '../design/state';
import { Moment } from '../design/time';
import { progressOf } from './submission-progress';
import { submissionsQuery } from './submission-queries';

type Submission = SubmissionSummaryView;

/** How far a submission is. */
export const SUBMISSION_COLUMNS: readonly Column<Submission>[] = [
  {
    id: 'reference',
    header: 'Reference',
    isRowHeader: true,
    cell: ({ id, reference }) => (
      <Link to="/submissions/$id" params={{ id }}>
        {reference}
      </Link>
    ),
  },
  { id: 'kind', header: 'Kind', cell: ({ kind }) => humanise(kind) },
  { id: 'status', header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  {
    id: 'supplier',
    header: 'Supplier',
    cell: ({ import_supplier: code }) => (
      <Link to="/suppliers/$code" params={{ code }}>
        {code}
      </Link>
    ),
  },
  { id: 'opened', header: 'Opened', cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    id: 'received',
    header: 'Received',
    isFigure: true,
    cell: ({ counts }) => formatCount(counts.received),
  },
  { id: 'ended', header: 'Ended', cell: (submission) => <Ended submission={submission} /> },
  { id: 'refused', header: 'Refused', isFigure: true, cell: ({ counts }) => formatCount(counts.refused) },
  {
    id: 'errors',
    header: 'Errors',
    isFigure: true,
    cell: (submission) => formatCount(progressOf(submission).failed),
  },
  {
    id: 'reconciled',
    header: 'Reconciled',
    cell: ({ reconciled }) => {
      if (reconciled === null) return <span className="muted">–</span>;
      return reconciled ? (
        <StateChip state="reconciled" />
      ) : (
        <Chip tone="bad" icon={OctagonX} label="Not reconciled" />
      );
    },
  },
];

function Ended({ submission }: { submission: Submission }) {
  const { accepted, ended } = progressOf(submission);
  return (
    <span className="nowrap">
      <progress aria-label={`Ended of ${submission.reference}`} max={Math.max(accepted, 1)} value={ended} />{' '}
      {formatCount(ended)} of {formatCount(accepted)}
    </span>
  );
}

/** The submissions of a supplier, newest first. */
export function SubmissionsTable(props: {
  code: string;
  cursor: string | undefined;
  to: (cursor: string | undefined) => NavigateOptions;
}) {
  const query = useQuery({ ...submissionsQuery({ supplier: props.code }, props.cursor), ...polled });
  return (
    <Loaded query={query}>
      {({ items, next_cursor: next }) =>
        items.length === 0 ? (
          <Empty icon={Layers} title="This supplier has no submissions">
            A submission is a book that the supplier uploads, watches and reconciles as one unit.
          </Empty>
        ) : (
          <>
            <DataTable
              caption="Submissions"
              columns={SUBMISSION_COLUMNS}
              rows={items}
              rowId={({ id }) => id}
            />
            <Paging cursor={props.cursor} next={next} to={props.to} />
          </>
        )
      }
    </Loaded>
  );
}
