import type { ListedDocumentState } from '@portage/accounts';
import { Field } from '../http/fields';

/** The states of documents that are listed, in the order of the list. */
export const STATES: readonly ListedDocumentState[] = ['MISSING', 'PENDING', 'REFUSED'];

/** The query of the list of documents. */
export class DocumentsQuery {
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
