import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { apiQuery } from '../api/client';
import type { FoundProcessList, FoundProcessView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { type FilterField, FilterForm } from '../design/filter-form';
import { PageHead, Panel } from '../design/layout';
import { ProcessLink, SupplierLink } from '../design/links';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';

const route = getRouteApi('/signed-in/accounts');

const FIELDS = [
  { name: 'number', label: 'External or platform account number', placeholder: 'A-9c41e07b' },
] as const satisfies FilterField[];

const COLUMNS: readonly Column<FoundProcessView>[] = [
  {
    header: 'External account number',
    isRowHeader: true,
    cell: ({ import_supplier: code, id, external_account_number: number }) => (
      <ProcessLink code={code} id={id} number={number} />
    ),
  },
  { header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  { header: 'Supplier', cell: ({ import_supplier: code }) => <SupplierLink code={code} /> },
  {
    header: 'Account',
    cell: ({ platform_account_number: number }) => (number === null ? null : <code>{number}</code>),
  },
  { header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
];

/** Finds an account by its number, whichever supplier has sent it. */
export function FindPage() {
  const { number } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Find an account" detail="In the books of all suppliers, by the whole number." />
      <Panel title="Accounts" flush>
        <FilterForm
          key={number ?? ''}
          label="Find an account"
          submitLabel="Find"
          fields={FIELDS}
          filters={{ number }}
          onChange={(search) => void navigate({ to: '/accounts', search })}
        />
        {number !== undefined && <Found number={number} />}
      </Panel>
    </>
  );
}

function Found({ number }: { number: string }) {
  const query = useQuery(apiQuery<FoundProcessList>(['found-processes', number], '/processes', { number }));
  return (
    <Loaded query={query}>
      {({ items }) => (
        <DataTable
          caption="Accounts"
          columns={COLUMNS}
          rows={items}
          rowId={({ id }) => id}
          empty={<Empty icon={Search} title="No supplier has sent an account with this number" />}
        />
      )}
    </Loaded>
  );
}
