import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { PageHead, Panel } from '../design/layout';
import { PerSupplier } from '../suppliers/supplier-picker';
import { SubmissionsTable } from './submissions-table';

const route = getRouteApi('/signed-in/submissions');

/** The submissions of a supplier that is chosen here. */
export function SubmissionsPage() {
  const { supplier, cursor } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Submissions" />
      <PerSupplier
        chosen={supplier}
        onChoose={(code) => void navigate({ to: '/submissions', search: { supplier: code } })}
      >
        {(code) => (
          <Panel title={`Submissions of ${code}`} flush>
            <SubmissionsTable
              code={code}
              cursor={cursor}
              to={(to) => ({ to: '/submissions', search: { supplier: code, cursor: to } })}
            />
          </Panel>
        )}
      </PerSupplier>
    </>
  );
}
