import { Building2 } from 'lucide-react';
import type { SupplierSettingsView } from '../api/shapes';
import type { Column } from '../design/data-table';
import { Empty } from '../design/feedback';
import { PageHead } from '../design/layout';
import { SupplierLink } from '../design/links';
import { ListPanel } from '../design/list-panel';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { CreateSupplier } from './create-supplier';

const COLUMNS: readonly Column<SupplierSettingsView>[] = [
  {
    header: 'Code',
    isRowHeader: true,
    cell: ({ code }) => <SupplierLink code={code} />,
  },
  { header: 'Status', cell: ({ status }) => <StateChip state={status} /> },
  { header: 'Organisation', cell: ({ organisation }) => organisation },
  { header: 'Creation mode', cell: ({ creation_mode: mode }) => mode },
  { header: 'Profile', cell: ({ profile }) => profile },
  { header: 'Region', cell: ({ region, currency }) => `${region}, ${currency}` },
  { header: 'Last changed', cell: ({ modified_at: at }) => <Moment at={at} /> },
];

/** All suppliers with their settings. */
export function SuppliersPage() {
  const isAdmin = useHasRole('admin');
  return (
    <>
      <PageHead title="Suppliers" actions={isAdmin && <CreateSupplier />} />
      <ListPanel
        title="All suppliers"
        empty={
          <Empty icon={Building2} title="There are no suppliers yet">
            An administrator creates the first one here, after its organisation.
          </Empty>
        }
        queryKey={['suppliers']}
        url="/suppliers"
        query={{ limit: 200 }}
        columns={COLUMNS}
        rowId={({ code }) => code}
      />
    </>
  );
}
