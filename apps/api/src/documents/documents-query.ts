import { type FieldError, PortageError } from '@portage/domain';
import type { UnsettledState } from '@portage/importing';

const STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

/**
 * Parses `state` of the list of documents, which may be repeated. By default both states are listed.
 *
 * @throws PortageError `validation_error`
 */
export function parseDocumentsQuery({ state }: Record<string, unknown>): readonly UnsettledState[] {
  if (state === undefined) return STATES;
  const names = [state].flat();
  const states = STATES.filter((known) => names.includes(known));
  if (names.every((name) => STATES.some((known) => known === name))) return states;
  const errors: FieldError[] = [
    { attr: 'state', code: 'invalid_choice', detail: `state must be ${STATES.join(' or ')}.` },
  ];
  throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
}
