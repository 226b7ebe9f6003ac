import { Link } from '@tanstack/react-router';
import type { Column } from '../design/data-table';
import { StateChip } from '../design/state';

interface AccountItem {
  process_id: string;
  external_account_number: string;
  platform_account_number: string;
  error_code: string | null;
}

/** The first column of a list of what accounts have: their number at the supplier, a link to their process. */
export const numberColumn = (code: string): Column<AccountItem> => ({
  id: 'number',
  header: 'External account number',
  isRowHeader: true,
  cell: ({ process_id: id, external_account_number: number }) => (
    <Link to="/suppliers/$code/processes/$id" params={{ code, id }}>
      {number}
    </Link>
  ),
});

/** A state and why it is so. */
export function StateWithError({ state, error }: { state: string; error: string | null }) {
  return (
    <>
      <StateChip state={state} /> {error !== null && <code className="small">{error}</code>}
    </>
  );
}

/** The last column: the number of the account on the platform. */
export const accountColumn: Column<AccountItem> = {
  id: 'account',
  header: 'Account',
  cell: ({ platform_account_number: number }) => <code>{number}</code>,
};
