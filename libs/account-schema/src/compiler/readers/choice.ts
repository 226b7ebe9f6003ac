import { isStorable, textOf } from '../../vocabulary/text';
import { Fault } from '../fault';
import { nearestFirst } from '../nearest-name';
import { ABSENT, type Reader } from '../reader';

/** Maximum number of choices that a message lists. */
const MAX_LISTED_CHOICES = 12;

const UNSTORABLE = new Fault('invalid', 'Enter one of the published values.', false);

/** One of `values`, exactly as written; '' counts as absent where it is one of them. */
export function choiceReader(values: readonly string[]): Reader {
  const choices = new Set(values);
  const mayBeBlank = choices.delete('');
  const fault = choiceFault(values);
  return (value) => {
    if (choices.has(value as string)) return undefined;
    if (value === '' && mayBeBlank) return ABSENT;
    if (typeof value === 'string' && !isStorable(value)) return UNSTORABLE;
    const text = textOf(value);
    return text !== undefined && choices.has(text) ? text : fault;
  };
}

/** The fault of a value that is not one of `values`. */
export function choiceFault(values: readonly string[]): Fault {
  return new NotAChoice(values.filter((value) => value !== ''));
}

class NotAChoice extends Fault {
  constructor(private readonly choices: readonly string[]) {
    super('invalid_choice', '');
  }

  override describe(value: unknown): string {
    return `Choose one of ${listChoices(this.choices, textOf(value))}. ${this.describeFound(value)}`;
  }
}

/** Lists choices, the ones most similar to `text` first. If there are many, refers to the complete list. */
function listChoices(choices: readonly string[], text: string | undefined): string {
  const shown = text === undefined ? choices : nearestFirst(text, choices);
  const rest = shown.length - MAX_LISTED_CHOICES;
  const listed = shown.slice(0, MAX_LISTED_CHOICES).join(', ');
  return rest > 0 ? `${listed} and ${rest} more, which /openapi.json lists` : listed;
}
