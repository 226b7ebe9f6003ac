import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { path } from '../api/client';
import type { UnsettledDocumentView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { humanise } from '../design/format';
import { ListPanel } from '../design/list-panel';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { accountColumn, numberColumn } from './account-columns';
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
] as const satisfies FilterField[];

const columns = (code: string): readonly Column<UnsettledDocumentView>[] => [
  numberColumn(code),
  { header: 'State', cell: ({ state, error_code: error }) => <StateChip state={state} error={error} /> },
  { header: 'Path, masked', cell: ({ path_masked: masked }) => <code>{masked}</code> },
  { header: 'Of a', cell: ({ kind }) => humanise(kind) },
  { header: 'Inspected', cell: ({ inspected_at: at }) => <Moment at={at} /> },
  accountColumn,
];

/** The documents of a supplier that were missing or refused, and another look at them: newest first. */
export function DocumentsPage() {
  const { code } = route.useParams();
  const canChange = useHasRole('operator');
  const folder = useQuery(supplierQuery(code)).data?.settings.document_root;
  return (
    <ListPanel
      title="Documents"
      note={folder === undefined ? undefined : `of the folder ${folder}`}
      actions={canChange && <RetryDocuments code={code} />}
      noun="document"
      queryKey={['documents', code]}
      url={`${path('suppliers', code)}/documents`}
      fields={DOCUMENT_FILTERS}
      columns={columns(code)}
      rowId={({ id }) => id}
    />
  );
}
