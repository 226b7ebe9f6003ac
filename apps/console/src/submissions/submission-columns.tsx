import { OctagonX } from 'lucide-react';
import type { SubmissionSummaryView } from '../api/shapes';
import type { Column } from '../design/data-table';
import { formatCount, humanise } from '../design/format';
import { SubmissionLink, SupplierLink } from '../design/links';
import { Chip, StateChip } from '../design/state';
import { Moment } from '../design/time';
import { progressOf } from './submission-progress';

/** How far a submission is. */
export const SUBMISSION_COLUMNS: readonly Column<SubmissionSummaryView>[] = [
  {
    header: 'Reference',
    isRowHeader: true,
    cell: ({ id, reference }) => <SubmissionLink id={id} reference={reference} />,
  },
  { header: 'Kind', cell: ({ kind }) => humanise(kind) },
  { header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  { header: 'Supplier', cell: ({ import_supplier: code }) => <SupplierLink code={code} /> },
  { header: 'Opened', cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    header: 'Received',
    isFigure: true,
    cell: ({ counts }) => formatCount(counts.received),
  },
  { header: 'Ended', cell: (submission) => <Ended submission={submission} /> },
  { header: 'Refused', isFigure: true, cell: ({ counts }) => formatCount(counts.refused) },
  {
    header: 'Errors',
    isFigure: true,
    cell: (submission) => formatCount(progressOf(submission).failed),
  },
  {
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

function Ended({ submission }: { submission: SubmissionSummaryView }) {
  const { accepted, ended } = progressOf(submission);
  return (
    <span className="nowrap">
      <progress aria-label={`Ended of ${submission.reference}`} max={Math.max(accepted, 1)} value={ended} />{' '}
      {formatCount(ended)} of {formatCount(accepted)}
    </span>
  );
}
