import type { FilterField } from '../design/filter-form';
import { PageHead } from '../design/layout';
import { ListPanel } from '../design/list-panel';
import { POLL_MS } from '../api/query-client';
import { SUBMISSION_COLUMNS } from './submission-columns';

export const SUBMISSION_FILTERS = [
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
] as const satisfies FilterField[];

/** The submissions of all suppliers, or of one, and of both kinds, or of one. */
export function SubmissionsPage() {
  return (
    <>
      <PageHead title="Submissions" />
      <ListPanel
        title="Submissions"
        note="newest first"
        noun="submission"
        queryKey={['submissions']}
        url="/submissions"
        refreshMs={POLL_MS}
        fields={SUBMISSION_FILTERS}
        columns={SUBMISSION_COLUMNS}
        rowId={({ id }) => id}
      />
    </>
  );
}
