import { Button, Checkbox } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { path } from '../api/client';
import type { ProcessSelection, ProcessSummaryView } from '../api/shapes';
import type { Column } from '../design/data-table';
import type { FilterField } from '../design/filter-form';
import { formatCount } from '../design/format';
import { ProcessLink, SubmissionLink } from '../design/links';
import { ListPanel } from '../design/list-panel';
import { lookOf, PROCESS_STATUS_NAMES, StateChip } from '../design/state';
import { Distance, Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { type ProcessAction, ProcessActionButton } from './process-action-dialog';

const route = getRouteApi('/signed-in/suppliers/$code/processes');

const REFRESH_MS = 10_000;

export const PROCESS_FILTERS = [
  {
    name: 'status',
    label: 'State',
    options: [
      { value: '', label: 'All states' },
      ...PROCESS_STATUS_NAMES.map((value) => ({ value, label: lookOf(value).label })),
    ],
  },
  { name: 'text', label: 'Account number begins with', placeholder: 'A-1002' },
  { name: 'error_code', label: 'Error code', placeholder: 'any' },
  { name: 'submission', label: 'Submission', placeholder: 'id' },
  { name: 'from', label: 'Received from', isMoment: true },
  { name: 'to', label: 'Received before', isMoment: true },
] as const satisfies FilterField[];

type Filters = Partial<Record<(typeof PROCESS_FILTERS)[number]['name'], string | undefined>>;

/** Selected accounts: their states by their numbers. */
type Selected = ReadonlyMap<string, ProcessSummaryView['status']>;

interface Selecting {
  isSelected: (number: string) => boolean;
  toggle: (process: ProcessSummaryView) => void;
}

const columns = (code: string, selecting: Selecting | undefined): readonly Column<ProcessSummaryView>[] => [
  ...(selecting
    ? [
        {
          header: 'Select',
          cell: (process: ProcessSummaryView) => (
            <Checkbox
              size="xs"
              aria-label={`Select ${process.external_account_number}`}
              checked={selecting.isSelected(process.external_account_number)}
              onChange={() => {
                selecting.toggle(process);
              }}
            />
          ),
        },
      ]
    : []),
  {
    header: 'External account number',
    isRowHeader: true,
    cell: ({ id, external_account_number: number }) => <ProcessLink code={code} id={id} number={number} />,
  },
  { header: 'State', cell: ({ status, error_code: error }) => <StateChip state={status} error={error} /> },
  {
    header: 'Account',
    cell: ({ platform_account_number: number }) => (number === null ? null : <code>{number}</code>),
  },
  {
    header: 'Submission',
    cell: ({ submission_id: id }) => id !== null && <SubmissionLink id={id} />,
  },
  { header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
  { header: 'Changed', cell: ({ updated_at: at }) => <Distance at={at} /> },
];

/** The action that a state suggests; a retry for several states. */
function suggest(status: string | undefined): ProcessAction {
  if (status === 'DRY_RUN_SUCCEEDED') return 'release';
  return status === 'PENDING' ? 'cancel' : 'retry';
}

/** The state of all selected accounts; undefined if they differ. */
function commonStatus(selected: Selected): ProcessSummaryView['status'] | undefined {
  const statuses = new Set(selected.values());
  return statuses.size === 1 ? [...statuses][0] : undefined;
}

function selectionOf(selected: Selected): ProcessSelection {
  const status = commonStatus(selected);
  return {
    external_account_numbers: [...selected.keys()],
    // Some processes are changed only where their state is asked for.
    ...(status === undefined ? {} : { status }),
  };
}

/** The processes of a supplier, newest first, and actions on those that are filtered or selected. */
export function ProcessesPage() {
  const { code } = route.useParams();
  const { cursor: _page, ...filters } = route.useSearch();
  // Another filter begins without a selection.
  return <Processes key={JSON.stringify([code, filters])} code={code} filters={filters} />;
}

function Processes({ code, filters }: { code: string; filters: Filters }) {
  const { status, error_code: error, submission, text, from, to } = filters;
  const canChange = useHasRole('operator');
  const [selected, setSelected] = useState<Selected>(new Map());
  const selectNone = () => {
    setSelected(new Map());
  };
  const selecting: Selecting = {
    isSelected: (number) => selected.has(number),
    toggle: ({ external_account_number: number, status: its }) => {
      const others = [...selected].filter(([one]) => one !== number);
      setSelected(new Map(selected.has(number) ? others : [...others, [number, its]]));
    },
  };
  const filtered = {
    ...(status ? { status: status as NonNullable<ProcessSelection['status']> } : {}),
    ...(error ? { error_code: error } : {}),
    ...(submission ? { submission } : {}),
  };
  const isNarrower = text !== undefined || from !== undefined || to !== undefined;
  return (
    <ListPanel
      title="Processes"
      note="newest first"
      noun="process"
      queryKey={['processes', code]}
      url={`${path('suppliers', code)}/processes`}
      refreshMs={REFRESH_MS}
      fields={PROCESS_FILTERS}
      columns={columns(code, canChange ? selecting : undefined)}
      rowId={({ id }) => id}
      actions={
        canChange &&
        (selected.size > 0 ? (
          <>
            <span className="small">{formatCount(selected.size)} selected</span>
            <ProcessActionButton
              key="selected"
              code={code}
              selection={selectionOf(selected)}
              action={suggest(commonStatus(selected))}
              onClose={selectNone}
            >
              Change selected
            </ProcessActionButton>
            <Button variant="default" onClick={selectNone}>
              Select none
            </Button>
          </>
        ) : (
          <ProcessActionButton
            key="filtered"
            code={code}
            selection={filtered}
            action={suggest(status)}
            variant="default"
            disabled={isNarrower}
            leftSection={<RotateCcw size={14} />}
            {...(isNarrower
              ? { title: 'Actions follow state, error code and submission. Clear the other filters first.' }
              : {})}
          >
            Change accounts
          </ProcessActionButton>
        ))
      }
    />
  );
}
