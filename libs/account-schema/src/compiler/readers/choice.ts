import { isStorable, textOf } from '../../vocabulary/text';
import { Fault } from '../fault';
import { ABSENT, type Reader } from '../reader';
import { NULL } from './null';

/** Longest list of choices that a message spells out. */
const MOST_NAMED = 12;

const UNSTORABLE = new Fault('invalid', 'Enter one of the published values.', false);

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

export function choiceFault(values: readonly string[]): Fault {
  const named = values.filter((value) => value !== '');
  const shown = named.slice(0, MOST_NAMED).join(', ');
  const rest = named.length - MOST_NAMED;
  return new Fault('invalid_choice', `Choose one of ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`);
}
