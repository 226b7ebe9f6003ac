import { getRouteApi, Link } from '@tanstack/react-router';
import { apiQuery, path } from '../api/client';
import type { RefusedLinePage, RefusedLineView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { FilteredList } from '../design/filtered-list';
import { formatCount } from '../design/format';
import { Moment } from '../design/time';

const route = getRouteApi('/signed-in/suppliers/$code/refused-lines');

export const REFUSED_LINE_FILTERS = [
  { name: 'error_code', label: 'Error code', placeholder: 'any' },
  { name: 'path', label: 'Path', placeholder: 'customers.0.email' },
  { name: 'submission', label: 'Submission', placeholder: 'id' },
  { name: 'text', label: 'Account number begins with', placeholder: 'A-1002' },
] as const satisfies FilterField<string>[];

const COLUMNS: readonly Column<RefusedLineView>[] = [
  {
    id: 'number',
    header: 'External account number',
    isRowHeader: true,
    cell: ({ external_account_number: number }) => number ?? <span className="muted">not readable</span>,
  },
  { id: 'errors', header: 'Errors', cell: ({ errors }) => <Errors errors={errors} /> },
  {
    id: 'line',
    header: 'Upload and line',
    cell: ({ upload, line }) => `${formatCount(upload)}, line ${formatCount(line)}`,
  },
  {
    id: 'submission',
    header: 'Submission',
    cell: ({ submission_id: id, reference }) => (
      <Link to="/submissions/$id" params={{ id }}>
        {reference}
      </Link>
    ),
  },
  { id: 'received', header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
];

function Errors({ errors }: { errors: RefusedLineView['errors'] }) {
  return (
    <ul>
      {errors.map(({ code, path: field, value_masked: value, detail }) => (
        <li key={`${code} ${field ?? ''}`} className="small">
          <code className="bad-text">{code}</code> {field !== null && <code>{field}</code>}{' '}
          {value !== null && <code className="muted">{value}</code>}
          <div>{detail}</div>
        </li>
      ))}
    </ul>
  );
}

/** The lines of a supplier that have no account, because they were refused: newest first. */
export function RefusedLinesPage() {
  const { code } = route.useParams();
  const { cursor, ...filters } = route.useSearch();
  return (
    <FilteredList
      title="Refused lines"
      note="newest first; values are masked"
      noun="refused line"
      fields={REFUSED_LINE_FILTERS}
      filters={filters}
      cursor={cursor}
      query={apiQuery<RefusedLinePage>(
        ['refused-lines', code, filters, cursor ?? ''],
        `${path('suppliers', code)}/refused-lines`,
        { ...filters, cursor },
      )}
      columns={COLUMNS}
      rowId={({ submission_id: id, upload, line }) => `${id} ${upload} ${line}`}
      to={(search, after) => ({
        to: '/suppliers/$code/refused-lines',
        params: { code },
        search: { ...search, cursor: after },
      })}
    />
  );
}
