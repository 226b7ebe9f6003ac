import type { ListedDocumentState } from '@portage/accounts';
import { ChoicesField, LimitField, TextField } from '../http/fields';

/** Rows of the longest page. A whole list is streamed. */
const MAX_PAGE_ROWS = 10_000;

/** The states of documents that are listed, in the order of the list. */
export const STATES: readonly ListedDocumentState[] = ['MISSING', 'PENDING', 'REFUSED'];

/** The query of the list of documents. */
export class DocumentsQuery {
  @LimitField(MAX_PAGE_ROWS, { description: 'Rows of a page. Without it the whole list is streamed' })
  limit?: number;

  @TextField({
    max: 2_000,
    description: 'Where to read on, from the address in the header `Link` of the previous page',
    detail: 'after must be that of the address in the header Link of the previous page, once.',
  })
  after?: string;

  @ChoicesField(STATES, {
    description: 'Only documents in this state. May be repeated. By default all are listed.',
  })
  state?: readonly ListedDocumentState[];
}
