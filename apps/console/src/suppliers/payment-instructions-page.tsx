import { getRouteApi } from '@tanstack/react-router';
import { apiQuery, path } from '../api/client';
import type { InstructionRequestPage, InstructionRequestView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { FilteredList } from '../design/filtered-list';
import { humanise } from '../design/format';
import { Moment } from '../design/time';
import { accountColumn, numberColumn, StateWithError } from './account-columns';

const route = getRouteApi('/signed-in/suppliers/$code/payment-instructions');

const OUTCOMES: readonly InstructionRequestView['outcome'][] = [
  'refused',
  'unavailable',
  'failed',
  'waiting',
  'stored',
];

export const INSTRUCTION_FILTERS = [
  {
    name: 'outcome',
    label: 'Outcome',
    options: [
      { value: '', label: 'All outcomes' },
      ...OUTCOMES.map((value) => ({ value, label: humanise(value) })),
    ],
  },
] as const satisfies FilterField<string>[];

const columns = (code: string): readonly Column<InstructionRequestView>[] => [
  numberColumn(code),
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome, error_code: error }) => <StateWithError state={outcome} error={error} />,
  },
  { id: 'received', header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
  { id: 'finished', header: 'Finished', cell: ({ finished_at: at }) => <Moment at={at} /> },
  accountColumn,
];

/** The requests of a supplier for payment instructions, by their outcome: newest first. */
export function PaymentInstructionsPage() {
  const { code } = route.useParams();
  const { cursor, ...filters } = route.useSearch();
  return (
    <FilteredList
      title="Payment instructions"
      note="requests that are still stored, newest first"
      noun="request"
      fields={INSTRUCTION_FILTERS}
      filters={filters}
      cursor={cursor}
      query={apiQuery<InstructionRequestPage>(
        ['payment-instructions', code, filters, cursor ?? ''],
        `${path('suppliers', code)}/payment-instructions`,
        { ...filters, cursor },
      )}
      columns={columns(code)}
      rowId={({ id }) => id}
      to={(search, after) => ({
        to: '/suppliers/$code/payment-instructions',
        params: { code },
        search: { ...search, cursor: after },
      })}
    />
  );
}
