import { useQuery } from '@tanstack/react-query';
import { Link, type NavigateOptions } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import type { Schemas } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { Paging } from '../design/paging';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';
import { polled } from '../api/query-client';
import { submissionsQuery } from './submission-queries';

type SubmissionColumn = Column<Schemas['SubmissionSummary']>;

/** The reference of a submission, as a link to its page. */
export const REFERENCE_COLUMN: SubmissionColumn = {
  id: 'reference',
  header: 'Reference',
  isRowHeader: true,
  cell: ({ id, reference }) => (
    <Link to="/submissions/$id" params={{ id }}>
      {reference}
    </Link>
  ),
};

export const STATE_COLUMN: SubmissionColumn = {
  id: 'status',
  header: 'State',
  cell: ({ status }) => <StateChip state={status} />,
};

const COLUMNS: readonly SubmissionColumn[] = [
  REFERENCE_COLUMN,
  STATE_COLUMN,
  { id: 'created', header: 'Opened', cell: ({ created_at: at }) => <Moment at={at} /> },
  { id: 'completed', header: 'Received completely', cell: ({ completed_at: at }) => <Moment at={at} /> },
  { id: 'finished', header: 'Finished', cell: ({ finished_at: at }) => <Moment at={at} /> },
  { id: 'id', header: 'Id', cell: ({ id }) => <code>{id}</code> },
];

/** The submissions of one supplier, newest first. */
export function SubmissionsTable(props: {
  code: string;
  cursor: string | undefined;
  to: (cursor: string | undefined) => NavigateOptions;
}) {
  const query = useQuery({ ...submissionsQuery(props.code, props.cursor), ...polled });
  return (
    <Loaded query={query}>
      {({ items, next_cursor: next }) =>
        items.length === 0 ? (
          <Empty icon={Layers} title="This supplier has no submissions">
            A submission is a book that the supplier uploads, watches and reconciles as one unit.
          </Empty>
        ) : (
          <>
            <DataTable caption="Submissions" columns={COLUMNS} rows={items} rowId={({ id }) => id} />
            <Paging cursor={props.cursor} next={next} to={props.to} />
          </>
        )
      }
    </Loaded>
  );
}
