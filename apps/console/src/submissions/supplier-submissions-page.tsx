import { getRouteApi } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { POLL_MS } from '../api/query-client';
import { Empty } from '../design/feedback';
import { ListPanel } from '../design/list-panel';
import { SUBMISSION_COLUMNS } from './submission-columns';

const route = getRouteApi('/signed-in/suppliers/$code/submissions');

/** The submissions of a supplier, as a tab of its page: newest first. */
export function SupplierSubmissionsPage() {
  const { code } = route.useParams();
  return (
    <ListPanel
      title="Submissions"
      empty={
        <Empty icon={Layers} title="This supplier has no submissions">
          A submission is a book that the supplier uploads, watches and reconciles as one unit.
        </Empty>
      }
      queryKey={['submissions', code]}
      url="/submissions"
      query={{ supplier: code }}
      refreshMs={POLL_MS}
      columns={SUBMISSION_COLUMNS}
      rowId={({ id }) => id}
    />
  );
}
