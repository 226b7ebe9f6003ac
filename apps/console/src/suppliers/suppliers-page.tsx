import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import type { SupplierSettingsView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { PageHead, Panel } from '../design/layout';
import { Paging } from '../design/paging';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { CreateSupplier } from './create-supplier';
import { MODE_LABELS } from './settings-form';
import { suppliersQuery } from './supplier-queries';

const route = getRouteApi('/signed-in/suppliers');

const COLUMNS: readonly Column<SupplierSettingsView>[] = [
  {
    id: 'code',
    header: 'Code',
    isRowHeader: true,
    cell: ({ code }) => (
      <Link to="/suppliers/$code" params={{ code }}>
        {code}
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <StateChip state={status} /> },
  { id: 'organisation', header: 'Organisation', cell: ({ organisation }) => organisation },
  { id: 'mode', header: 'Creation', cell: ({ creation_mode: mode }) => MODE_LABELS[mode] },
  { id: 'profile', header: 'Profile', cell: ({ profile }) => profile },
  { id: 'region', header: 'Region', cell: ({ region, currency }) => `${region}, ${currency}` },
  { id: 'modified', header: 'Last changed', cell: ({ modified_at: at }) => <Moment at={at} /> },
];

/** All suppliers with their settings. */
export function SuppliersPage() {
  const { cursor } = route.useSearch();
  const query = useQuery(suppliersQuery(cursor));
  const isAdmin = useHasRole('admin');
  return (
    <>
      <PageHead title="Suppliers" actions={isAdmin && <CreateSupplier />} />
      <Panel title="All suppliers" flush>
        <Loaded query={query}>
          {({ items, next_cursor: next }) =>
            items.length === 0 ? (
              <Empty icon={Building2} title="There are no suppliers yet">
                An administrator creates the first one here, after its organisation.
              </Empty>
            ) : (
              <>
                <DataTable caption="Suppliers" columns={COLUMNS} rows={items} rowId={({ code }) => code} />
                <Paging
                  cursor={cursor}
                  next={next}
                  to={(to) => ({ to: '/suppliers', search: { cursor: to } })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
