import { getRouteApi } from '@tanstack/react-router';
import { polled } from '../api/query-client';
import { FilteredList } from '../design/filtered-list';
import { PageHead } from '../design/layout';
import { submissionsQuery } from './submission-queries';
import { SUBMISSION_COLUMNS } from './submissions-table';

const route = getRouteApi('/signed-in/submissions');

/** The submissions of all suppliers, or of one. */
export function SubmissionsPage() {
  const { supplier, cursor } = route.useSearch();
  return (
    <>
      <PageHead title="Submissions" />
      <FilteredList
        title="Submissions"
        note="newest first"
        noun="submission"
        fields={[{ name: 'supplier', label: 'Supplier', placeholder: 'code' }]}
        filters={{ supplier }}
        cursor={cursor}
        query={{ ...submissionsQuery(supplier, cursor), ...polled }}
        columns={SUBMISSION_COLUMNS}
        rowId={({ id }) => id}
        to={(filters, to) => ({ to: '/submissions', search: { ...filters, cursor: to } })}
      />
    </>
  );
}
