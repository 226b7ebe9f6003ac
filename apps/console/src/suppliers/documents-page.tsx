import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiQuery, path } from '../api/client';
import type { DocumentPage, UnsettledDocumentView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { FilteredList } from '../design/filtered-list';
import { humanise } from '../design/format';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { accountColumn, numberColumn, StateWithError } from './account-columns';
import { RetryDocuments } from './retry-documents';
import { supplierQuery } from './supplier-queries';

const route = getRouteApi('/signed-in/suppliers/$code/documents');

export const DOCUMENT_FILTERS = [
  {
    name: 'state',
    label: 'State',
    options: [
      { value: '', label: 'Missing and refused' },
      { value: 'MISSING', label: 'Missing' },
      { value: 'REFUSED', label: 'Refused' },
    ],
  },
] as const satisfies FilterField<string>[];

const columns = (code: string): readonly Column<UnsettledDocumentView>[] => [
  numberColumn(code),
  {
    id: 'state',
    header: 'State',
    cell: ({ state, error_code: error }) => <StateWithError state={state} error={error} />,
  },
  { id: 'path', header: 'Path, masked', cell: ({ path_masked: masked }) => <code>{masked}</code> },
  { id: 'kind', header: 'Of a', cell: ({ kind }) => humanise(kind) },
  { id: 'inspected', header: 'Inspected', cell: ({ inspected_at: at }) => <Moment at={at} /> },
  accountColumn,
];

/** The documents of a supplier that were missing or refused, and another look at them: newest first. */
export function DocumentsPage() {
  const { code } = route.useParams();
  const { cursor, ...filters } = route.useSearch();
  const canChange = useHasRole('operator');
  const folder = useQuery(supplierQuery(code)).data?.settings.document_root;
  return (
    <FilteredList
      title="Documents"
      note={folder === undefined ? undefined : `of the folder ${folder}`}
      actions={canChange && <RetryDocuments code={code} />}
      noun="document"
      fields={DOCUMENT_FILTERS}
      filters={filters}
      cursor={cursor}
      query={apiQuery<DocumentPage>(
        ['documents', code, filters, cursor ?? ''],
        `${path('suppliers', code)}/documents`,
        { ...filters, cursor },
      )}
      columns={columns(code)}
      rowId={({ id }) => id}
      to={(search, after) => ({
        to: '/suppliers/$code/documents',
        params: { code },
        search: { ...search, cursor: after },
      })}
    />
  );
}
