import { Button } from '@mantine/core';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { change, path } from '../api/client';
import type {
  AccountChangeView,
  CorrectionChanges,
  CorrectionSummary,
  ProcessDetailView,
} from '../api/shapes';
import { type Column, DataTable } from '../design/data-table';
import { ActionButton } from '../design/dialog';
import { formatCount } from '../design/format';
import { Panel } from '../design/layout';
import { StateChip } from '../design/state';
import { Moment } from '../design/time';

/** Paths that a row of a correction shows. */
const SHOWN_PATHS = 5;

const COLUMNS: readonly Column<CorrectionSummary>[] = [
  { header: 'Version', isRowHeader: true, cell: ({ version }) => version },
  {
    header: 'State',
    cell: ({ status, is_dry_run: isDryRun, error_code: error }) => (
      <>
        <StateChip state={status} /> {isDryRun && 'rehearsal'}{' '}
        {error !== null && <code className="small">{error}</code>}
      </>
    ),
  },
  {
    header: 'Changed',
    cell: ({ changed_paths: paths, change_count: count }) => (
      <>
        {paths.slice(0, SHOWN_PATHS).map((one) => (
          <div key={one}>
            <code className="small">{one}</code>
          </div>
        ))}
        {count > Math.min(paths.length, SHOWN_PATHS) && (
          <span className="muted small">{formatCount(count)} in all</span>
        )}
      </>
    ),
  },
  { header: 'Actor', cell: ({ actor }) => actor },
  { header: 'Time', cell: ({ created_at: at }) => <Moment at={at} /> },
];

const CHANGE_COLUMNS: readonly Column<AccountChangeView>[] = [
  {
    header: 'Path',
    isRowHeader: true,
    cell: ({ path: changed }) => <code className="small">{changed}</code>,
  },
  { header: 'From', cell: ({ from }) => <Value value={from} /> },
  { header: 'To', cell: ({ to }) => <Value value={to} /> },
];

/** A value of an account. Null stands for nothing. */
function Value({ value }: { value: unknown }) {
  if (value === null) return <span className="muted small">nothing</span>;
  return <code className="small">{typeof value === 'string' ? value : JSON.stringify(value)}</code>;
}

/**
 * The corrections of an account by the paths that they have changed. The values are shown once an operator has asked
 * for them.
 */
export function CorrectionsPanel({
  process: { import_supplier: code, id, external_account_number: number, corrections },
  canRead,
}: {
  process: ProcessDetailView;
  canRead: boolean;
}) {
  const [shown, setShown] = useState<{ version: number; changes: AccountChangeView[] }>();
  const values: Column<CorrectionSummary> = {
    header: 'Values',
    cell: ({ version, changed_paths: paths }) =>
      paths.length > 0 && (
        <ActionButton
          label="Show values"
          icon={Eye}
          title="Show personal data"
          confirmLabel="Show values"
          run={async () => {
            const url = path('suppliers', code, 'processes', id, 'corrections', String(version));
            return change<CorrectionChanges>('POST', url);
          }}
          onDone={({ changes }) => {
            setShown({ version, changes });
          }}
        >
          <p>
            The audit records that you read what version {version} of {number} has changed.
          </p>
        </ActionButton>
      ),
  };
  return (
    <>
      <Panel title="Corrections" note={canRead ? undefined : 'Operators can read the values.'} flush>
        <DataTable
          caption="Corrections"
          columns={canRead ? [...COLUMNS, values] : COLUMNS}
          rows={corrections}
          rowId={({ version }) => String(version)}
        />
      </Panel>
      {shown && (
        <Panel
          title={`Values of version ${shown.version}`}
          flush
          actions={
            <Button
              variant="default"
              onClick={() => {
                setShown(undefined);
              }}
            >
              Hide
            </Button>
          }
        >
          <DataTable
            caption={`Values of version ${shown.version}`}
            columns={CHANGE_COLUMNS}
            rows={shown.changes}
            rowId={({ path: changed }) => changed}
          />
        </Panel>
      )}
    </>
  );
}
