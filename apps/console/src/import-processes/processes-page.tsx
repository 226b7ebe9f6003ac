import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { RotateCcw, Search } from 'lucide-react';
import { useState } from 'react';
import type { ProcessSelection, ProcessSummaryView } from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { Empty, Loaded } from '../design/feedback';
import { FilterForm } from '../design/filter-form';
import { formatCount } from '../design/format';
import { Panel } from '../design/layout';
import { Paging } from '../design/paging';
import { StateChip } from '../design/state';
import { Distance, Moment } from '../design/time';
import { useHasRole } from '../session/session';
import { type ProcessAction, ProcessActionDialog } from './process-action-dialog';
import { PROCESS_FILTERS, processesQuery } from './process-queries';

const route = getRouteApi('/signed-in/suppliers/$code/processes');

const REFRESH_MS = 10_000;

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
          id: 'select',
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
    id: 'number',
    header: 'External account number',
    isRowHeader: true,
    cell: ({ id, external_account_number: number }) => (
      <Link to="/suppliers/$code/processes/$id" params={{ code, id }}>
        {number}
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'State',
    cell: ({ status, error_code: error }) => (
      <>
        <StateChip state={status} /> {error !== null && <code className="small">{error}</code>}
      </>
    ),
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ platform_account_number: number }) => (number === null ? null : <code>{number}</code>),
  },
  {
    id: 'submission',
    header: 'Submission',
    cell: ({ submission_id: id }) =>
      id !== null && (
        <Link to="/submissions/$id" params={{ id }}>
          {id}
        </Link>
      ),
  },
  { id: 'received', header: 'Received', cell: ({ received_at: at }) => <Moment at={at} /> },
  { id: 'updated', header: 'Changed', cell: ({ updated_at: at }) => <Distance at={at} /> },
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
  const { cursor, ...filters } = route.useSearch();
  const navigate = useNavigate();
  const canChange = useHasRole('operator');
  const [selected, setSelected] = useState<Selected>(new Map());
  const [dialog, setDialog] = useState<{ action: ProcessAction; selection: ProcessSelection }>();
  const query = useQuery({
    ...processesQuery(code, filters, cursor),
    // Further pages stay as they are: rows must not move while they are read.
    refetchInterval: cursor === undefined ? REFRESH_MS : false,
  });
  const selecting: Selecting = {
    isSelected: (number) => selected.has(number),
    toggle: ({ external_account_number: number, status }) => {
      setSelected((all) =>
        all.has(number)
          ? new Map([...all].filter(([one]) => one !== number))
          : new Map([...all, [number, status]]),
      );
    },
  };
  const filtered: ProcessSelection = {
    ...(filters.status ? { status: filters.status as NonNullable<ProcessSelection['status']> } : {}),
    ...(filters.error_code ? { error_code: filters.error_code } : {}),
    ...(filters.submission ? { submission: filters.submission } : {}),
  };
  const isNarrower = filters.text !== undefined || filters.from !== undefined || filters.to !== undefined;
  const start = (action: ProcessAction, selection: ProcessSelection) => {
    setDialog({ action, selection });
  };

  return (
    <Panel
      title="Processes"
      note="newest first"
      flush
      actions={
        canChange &&
        (selected.size > 0 ? (
          <>
            <span className="small">{formatCount(selected.size)} selected</span>
            <Button
              onClick={() => {
                start(suggest(commonStatus(selected)), selectionOf(selected));
              }}
            >
              Change selected
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setSelected(new Map());
              }}
            >
              Select none
            </Button>
          </>
        ) : (
          <Button
            variant="default"
            disabled={isNarrower}
            title={
              isNarrower
                ? 'Actions follow state, error code and submission. Clear the other filters first.'
                : undefined
            }
            leftSection={<RotateCcw size={14} />}
            onClick={() => {
              start(suggest(filters.status), filtered);
            }}
          >
            Change accounts
          </Button>
        ))
      }
    >
      <FilterForm
        key={JSON.stringify(filters)}
        label="Filter processes"
        submitLabel="Show"
        fields={PROCESS_FILTERS}
        filters={filters}
        onChange={(next) => {
          setSelected(new Map());
          void navigate({ to: '/suppliers/$code/processes', params: { code }, search: next });
        }}
      />
      <Loaded query={query} lines={8}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <Empty
                icon={Search}
                title={next === null ? 'No process matches' : 'None of the newest processes matches'}
              >
                {next === null ? 'Change or clear the filters.' : 'Search on among older ones.'}
              </Empty>
            ) : (
              <DataTable
                caption="Processes"
                columns={columns(code, canChange ? selecting : undefined)}
                rows={items}
                rowId={({ id }) => id}
              />
            )}
            <Paging
              cursor={cursor}
              next={next}
              nextLabel={items.length === 0 ? 'Search on' : 'Next page'}
              to={(to) => ({
                to: '/suppliers/$code/processes',
                params: { code },
                search: { ...filters, cursor: to },
              })}
            />
          </>
        )}
      </Loaded>
      {dialog && (
        <ProcessActionDialog
          code={code}
          selection={dialog.selection}
          initialAction={dialog.action}
          isOpen
          onClose={() => {
            setDialog(undefined);
            setSelected(new Map());
          }}
        />
      )}
    </Panel>
  );
}
