import { Code } from '@mantine/core';
import type { AuditEntryView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { PageHead } from '../design/layout';
import { SupplierLink } from '../design/links';
import { ListPanel } from '../design/list-panel';
import { Moment } from '../design/time';

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
] as const satisfies FilterField[];

const COLUMNS: readonly Column<AuditEntryView>[] = [
  { header: 'Time', isRowHeader: true, cell: ({ occurred_at: at }) => <Moment at={at} /> },
  { header: 'Actor', cell: ({ actor }) => <code>{actor}</code> },
  { header: 'Action', cell: ({ action }) => <Code>{action}</Code> },
  {
    header: 'Supplier',
    cell: ({ import_supplier: code }) => code !== null && <SupplierLink code={code} />,
  },
  { header: 'Subject', cell: ({ subject }) => subject },
  { header: 'Details', cell: ({ details }) => <Details details={details} /> },
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
  return (
    <>
      <PageHead
        title="Audit"
        detail="Changes by operators, suppliers and their programs. Entries cannot be changed."
      />
      <ListPanel
        title="Audit entries"
        note="newest first"
        noun="entry"
        queryKey={['audit']}
        url="/audit"
        fields={AUDIT_FILTERS}
        columns={COLUMNS}
        rowId={(entry) =>
          `${entry.occurred_at} ${entry.actor} ${entry.action} ${entry.import_supplier ?? ''} ${entry.subject ?? ''}`
        }
      />
    </>
  );
}
