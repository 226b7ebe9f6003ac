import type { ListedDocumentState } from '@portage/accounts';
import { Field, IntegerField, TextField } from '../http/fields';

/** Rows of the longest page. A whole list is streamed. */
const MAX_PAGE_ROWS = 10_000;

/** The states of documents that are listed, in the order of the list. */
export const STATES: readonly ListedDocumentState[] = ['MISSING', 'PENDING', 'REFUSED'];

/** The query of the list of documents. */
export class DocumentsQuery {
  @IntegerField({
    min: 1,
    max: MAX_PAGE_ROWS,
    description: 'Rows of a page. Without it the whole list is streamed',
    detail: `limit must be a whole number from 1 to ${MAX_PAGE_ROWS}.`,
  })
  limit?: number;

  @TextField({
    max: 2_000,
    description: 'Where to read on, from the address in the header `Link` of the previous page',
    detail: 'after must be that of the address in the header Link of the previous page, once.',
  })
  after?: string;

  @Field(
    {
      code: 'invalid_choice',
      detail: `state must be one or more of ${STATES.join(', ')}.`,
      parse: (value) => {
        const names = [value].flat();
        return names.every((name) => STATES.some((known) => known === name))
          ? STATES.filter((known) => names.includes(known))
          : undefined;
      },
    },
    { type: 'string', enum: [...STATES], isArray: true },
    { description: 'Only documents in this state. May be repeated. By default all are listed.' },
  )
  state?: readonly ListedDocumentState[];
}
