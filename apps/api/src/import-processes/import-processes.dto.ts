import {
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  LIST_MEMBERS,
  type ListMember,
} from '@portage/imports';
import { ChoicesField, LimitField, TextField } from '../http/fields';

/** A page is held in memory, unlike a whole list, which is streamed. */
const MAX_PAGE_ROWS = 10_000;

/** The query of a list endpoint (contract, "List imports"). */
export class ListQuery {
  @LimitField(MAX_PAGE_ROWS, { description: 'Rows of a page' })
  limit?: number;

  @TextField({
    max: Infinity,
    description: 'The external_account_number of the last row of the previous page',
    detail: 'after must be one external_account_number.',
  })
  after?: string;

  @ChoicesField(IMPORT_PROCESS_STATUSES, {
    description:
      'Only processes with this v2 status. May be repeated. With `CANCELLED`, cancelled processes are listed too.',
  })
  status?: ImportProcessStatus[];

  @ChoicesField(LIST_MEMBERS, {
    description:
      'Members of the items besides the three of the contract: `status` (v2) and `error`. May be repeated or have commas.',
  })
  include?: ListMember[];
}
