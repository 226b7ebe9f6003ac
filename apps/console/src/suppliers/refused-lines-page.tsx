import { getRouteApi } from '@tanstack/react-router';
import { path } from '../api/client';
import type { RefusedLineView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { formatCount } from '../design/format';
import { SubmissionLink } from '../design/links';
import { ListPanel } from '../design/list-panel';
import { Moment } from '../design/time';

const route = getRouteApi('/signed-in/suppliers/$code/refused-lines');

export const REFUSED_LINE_FILTERS = [
  { name: 'error_code', label: 'Error code', placeholder: 'any' },
  { name: 'path', label: 'Path', placeholder: 'customers.0.email' },
  { name: 'submission', label: 'Submission', placeholder: 'id' },
  { name: 'text', label: 'Account number begins with', placeholder: 'A-1002' },
] as const satisfies FilterField[];

const COLUMNS: readonly Column<RefusedLineView>[] = [
  {
    header: 'External account number',
    isRowHeader: true,
    cell: ({ external_account_number: number }) => number ?? <span className="muted">not readable</span>,
  },
  { header: 'Errors', cell: ({ errors }) => <Errors errors={errors} /> },
  {
    header: 'Upload and line',
    cell: ({ upload, line }) => `${formatCount(upload)}, line ${formatCount(line)}`,
  },
  {
    header: 'Submission',
    cell: ({ submission_id: id, reference }) => <SubmissionLink id={id} reference={reference} />,
  },
  { header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
];

function Errors({ errors }: { errors: RefusedLineView['errors'] }) {
  return (
    <ul>
      {errors.map(({ code, path: field, detail }, index) => (
        <li key={index} className="small">
          <code className="bad-text">{code}</code> {field !== null && <code>{field}</code>}
          {detail !== null && <div>{detail}</div>}
        </li>
      ))}
    </ul>
  );
}

/** The lines of a supplier that have no account, because they were refused: newest first. */
export function RefusedLinesPage() {
  const { code } = route.useParams();
  return (
    <ListPanel
      title="Refused lines"
      note="newest first"
      noun="refused line"
      queryKey={['refused-lines', code]}
      url={`${path('suppliers', code)}/refused-lines`}
      fields={REFUSED_LINE_FILTERS}
      columns={COLUMNS}
      rowId={({ submission_id: id, upload, line }) => `${id} ${upload} ${line}`}
    />
  );
}
