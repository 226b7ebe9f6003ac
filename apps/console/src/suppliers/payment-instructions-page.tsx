import { getRouteApi } from '@tanstack/react-router';
import { path } from '../api/client';
import type { InstructionRequestView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { humanise } from '../design/format';
import { ListPanel } from '../design/list-panel';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';
import { accountColumn, numberColumn } from './account-columns';

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
] as const satisfies FilterField[];

const columns = (code: string): readonly Column<InstructionRequestView>[] => [
  numberColumn(code),
  {
    header: 'Outcome',
    cell: ({ outcome, error_code: error }) => <StateChip state={outcome} error={error} />,
  },
  { header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
  { header: 'Finished', cell: ({ finished_at: at }) => <Moment at={at} /> },
  accountColumn,
];

/** The requests of a supplier for payment instructions, by their outcome: newest first. */
export function PaymentInstructionsPage() {
  const { code } = route.useParams();
  return (
    <ListPanel
      title="Payment instructions"
      note="requests that are still stored, newest first"
      noun="request"
      queryKey={['payment-instructions', code]}
      url={`${path('suppliers', code)}/payment-instructions`}
      fields={INSTRUCTION_FILTERS}
      columns={columns(code)}
      rowId={({ id }) => id}
    />
  );
}
