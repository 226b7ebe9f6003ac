import type { UnsettledState } from '@portage/accounts';
import { Field } from '../http/fields';

/** The states of documents that are listed. */
export const STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

/** The query of the list of documents. */
export class DocumentsQuery {
  @Field(
    {
      code: 'invalid_choice',
      detail: `state must be ${STATES.join(' or ')}.`,
      parse: (value) => {
        const names = [value].flat();
        return names.every((name) => STATES.some((known) => known === name))
          ? STATES.filter((known) => names.includes(known))
          : undefined;
      },
    },
    { type: 'string', enum: [...STATES], isArray: true },
    { description: 'Only documents in this state. May be repeated. By default both are listed.' },
  )
  state?: readonly UnsettledState[];
}
