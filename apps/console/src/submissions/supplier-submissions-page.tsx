import { getRouteApi } from '@tanstack/react-router';
import { Panel } from '../design/layout';
import { SubmissionsTable } from './submissions-table';

const route = getRouteApi('/signed-in/suppliers/$code/submissions');

/** The submissions of a supplier, as a tab of its page. */
export function SupplierSubmissionsPage() {
  const { code } = route.useParams();
  const { cursor } = route.useSearch();
  return (
    <Panel title="Submissions" flush>
      <SubmissionsTable
        code={code}
        cursor={cursor}
        to={(to) => ({ to: '/suppliers/$code/submissions', params: { code }, search: { cursor: to } })}
      />
    </Panel>
  );
}
