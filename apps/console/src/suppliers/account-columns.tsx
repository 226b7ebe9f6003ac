import type { Column } from '../design/data-table';
import { ProcessLink } from '../design/links';

interface AccountItem {
  process_id: string;
  external_account_number: string;
  platform_account_number: string;
}

/** The first column of a list of what accounts have: their number at the supplier, a link to their process. */
export const numberColumn = (code: string): Column<AccountItem> => ({
  header: 'External account number',
  isRowHeader: true,
  cell: ({ process_id: id, external_account_number: number }) => (
    <ProcessLink code={code} id={id} number={number} />
  ),
});

/** The last column: the number of the account on the platform. */
export const accountColumn: Column<AccountItem> = {
  header: 'Account',
  cell: ({ platform_account_number: number }) => <code>{number}</code>,
};
