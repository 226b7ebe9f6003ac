import { getRouteApi } from '@tanstack/react-router';
import { polled } from '../api/query-client';
import { FilteredList } from '../design/filtered-list';
import type { FilterField } from '../design/filter-form';
import { PageHead } from '../design/layout';
import { submissionsQuery } from './submission-queries';
import { SUBMISSION_COLUMNS } from './submissions-table';

const route = getRouteApi('/signed-in/submissions');

const FILTERS: readonly FilterField<'supplier' | 'kind'>[] = [
  { name: 'supplier', label: 'Supplier', placeholder: 'code' },
  {
    name: 'kind',
    label: 'Kind',
    options: [
      { value: '', label: 'Accounts and additions' },
      { value: 'accounts', label: 'Accounts' },
      { value: 'additions', label: 'Additions' },
    ],
  },
];

/** The submissions of all suppliers, or of one, and of both kinds, or of one. */
export function SubmissionsPage() {
  const { cursor, ...filters } = route.useSearch();
  return (
    <>
      <PageHead title="Submissions" />
      <FilteredList
        title="Submissions"
        note="newest first"
        noun="submission"
        fields={FILTERS}
        filters={filters}
        cursor={cursor}
        query={{ ...submissionsQuery(filters, cursor), ...polled }}
        columns={SUBMISSION_COLUMNS}
        rowId={({ id }) => id}
        to={(chosen, to) => ({ to: '/submissions', search: { ...chosen, cursor: to } })}
      />
    </>
  );
}
