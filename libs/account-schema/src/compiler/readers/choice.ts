import { isStorable, textOf } from '../../vocabulary/text';
import { Fault } from '../fault';
import { ABSENT, type Reader } from '../reader';
import { NULL } from './null';

/** Maximum number of choices that a message lists. */
const MAX_LISTED_CHOICES = 12;

const UNSTORABLE = new Fault('invalid', 'Enter one of the published values.', false);

/** One of `values`, exactly as written; '' counts as absent where it is one of them. */
export function choiceReader(values: readonly string[], nullable: boolean): Reader {
  const choices = new Set(values);
  const mayBeBlank = choices.delete('');
  const fault = choiceFault(values);
  return (value) => {
    if (choices.has(value as string)) return undefined;
    if (value === null) return nullable ? undefined : NULL;
    if (value === '' && mayBeBlank) return ABSENT;
    if (typeof value === 'string' && !isStorable(value)) return UNSTORABLE;
    const text = textOf(value);
    return text !== undefined && choices.has(text) ? text : fault;
  };
}

/** The fault of a value that is not one of `values`. */
export function choiceFault(values: readonly string[]): Fault {
  const named = values.filter((value) => value !== '');
  const shown = named.slice(0, MAX_LISTED_CHOICES).join(', ');
  const rest = named.length - MAX_LISTED_CHOICES;
  return new Fault('invalid_choice', `Choose one of ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`);
}
