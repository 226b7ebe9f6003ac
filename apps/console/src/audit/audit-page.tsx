import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { apiQuery } from '../api/client';
import type { AuditEntryView, Page } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { type FilterField, FilterForm } from '../design/filter-form';
import { PageHead, Panel } from '../design/layout';
import { Paging } from '../design/paging';
import { Moment } from '../design/time';

const route = getRouteApi('/signed-in/audit');

export const AUDIT_FILTERS = [
  { name: 'actor', label: 'Actor', placeholder: 'ada' },
  {
    name: 'by',
    label: 'Changed by',
    options: [
      { value: '', label: 'Everyone' },
      { value: 'people', label: 'People' },
      { value: 'programs', label: 'Programs of suppliers' },
    ],
  },
  { name: 'action', label: 'Action', placeholder: 'process.retry' },
  { name: 'supplier', label: 'Supplier', placeholder: 'code' },
  { name: 'since', label: 'Since', isMoment: true },
  { name: 'until', label: 'Before', isMoment: true },
] as const satisfies FilterField<string>[];

const COLUMNS: readonly Column<AuditEntryView>[] = [
  { id: 'at', header: 'Time', isRowHeader: true, cell: ({ occurred_at: at }) => <Moment at={at} /> },
  { id: 'actor', header: 'Actor', cell: ({ actor }) => <code>{actor}</code> },
  { id: 'action', header: 'Action', cell: ({ action }) => <Code>{action}</Code> },
  {
    id: 'supplier',
    header: 'Supplier',
    cell: ({ import_supplier: code }) =>
      code !== null && (
        <Link to="/suppliers/$code" params={{ code }}>
          {code}
        </Link>
      ),
  },
  { id: 'subject', header: 'Subject', cell: ({ subject }) => subject },
  { id: 'details', header: 'Details', cell: ({ details }) => <Details details={details} /> },
];

function Details({ details }: { details: Record<string, unknown> }) {
  return Object.entries(details).map(([name, value]) => (
    <div key={name} className="small">
      <span className="muted">{name}</span> {typeof value === 'string' ? value : JSON.stringify(value)}
    </div>
  ));
}

/** Who changed what, and when. */
export function AuditPage() {
  const { cursor, ...filters } = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(
    apiQuery<Page<AuditEntryView>>(['audit', filters, cursor ?? ''], '/audit', { ...filters, cursor }),
  );
  return (
    <>
      <PageHead
        title="Audit"
        detail="Changes by operators, suppliers and their programs. Entries cannot be changed."
      />
      <Panel title="Entries" note="newest first" flush>
        <FilterForm
          key={JSON.stringify(filters)}
          label="Search the audit"
          submitLabel="Search"
          fields={AUDIT_FILTERS}
          filters={filters}
          onChange={(search) => void navigate({ to: '/audit', search })}
        />
        <Loaded query={query} lines={8}>
          {({ items, next_cursor: next }) => (
            <>
              {items.length === 0 ? (
                <Empty
                  icon={Search}
                  title={next === null ? 'No entry matches' : 'None of the newest entries matches'}
                >
                  {next === null ? 'Change or clear the filters.' : 'Search on among older ones.'}
                </Empty>
              ) : (
                <DataTable
                  caption="Audit entries"
                  columns={COLUMNS}
                  rows={items}
                  rowId={(entry) =>
                    `${entry.occurred_at} ${entry.actor} ${entry.action} ${entry.subject ?? ''}`
                  }
                />
              )}
              <Paging
                cursor={cursor}
                next={next}
                nextLabel={items.length === 0 ? 'Search on' : 'Next page'}
                to={(to) => ({ to: '/audit', search: { ...filters, cursor: to } })}
              />
            </>
          )}
        </Loaded>
      </Panel>
    </>
  );
}
