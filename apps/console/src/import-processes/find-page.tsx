import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { apiQuery } from '../api/client';
import type { FoundProcessList, FoundProcessView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { type FilterField, FilterForm } from '../design/filter-form';
import { PageHead, Panel } from '../design/layout';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';

const route = getRouteApi('/signed-in/accounts');

const FIELDS = [
  { name: 'number', label: 'External or platform account number', placeholder: 'A-9c41e07b' },
] as const satisfies FilterField<string>[];

const COLUMNS: readonly Column<FoundProcessView>[] = [
  {
    id: 'number',
    header: 'External account number',
    isRowHeader: true,
    cell: ({ import_supplier: code, id, external_account_number: number }) => (
      <Link to="/suppliers/$code/processes/$id" params={{ code, id }}>
        {number}
      </Link>
    ),
  },
  { id: 'status', header: 'State', cell: ({ status }) => <StateChip state={status} /> },
  {
    id: 'supplier',
    header: 'Supplier',
    cell: ({ import_supplier: code }) => (
      <Link to="/suppliers/$code" params={{ code }}>
        {code}
      </Link>
    ),
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ platform_account_number: number }) => (number === null ? null : <code>{number}</code>),
  },
  { id: 'received', header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
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
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon={Search} title="No supplier has sent an account with this number" />
        ) : (
          <DataTable caption="Accounts" columns={COLUMNS} rows={items} rowId={({ id }) => id} />
        )
      }
    </Loaded>
  );
}
