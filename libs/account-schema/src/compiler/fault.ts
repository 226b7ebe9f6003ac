import { replaceInvisible } from '@portage/text';
import { isExact } from '../vocabulary/json';

/**
 * A way in which a value can be invalid. Faults are constants created at compile time, so that finding one
 * allocates nothing; the sentence is built only when the fault is reported.
 */
export class Fault {
  constructor(
    readonly code: string,
    private readonly sentence: string,
    private readonly showsValue = true,
  ) {}

  describe(value: unknown): string {
    return this.showsValue ? `${this.sentence} ${this.describeFound(value)}` : this.sentence;
  }

  protected describeFound(value: unknown): string {
    return `Found ${describeValue(value)}.`;
  }
}

/** Maximum length of a value quoted in a message: enough to recognise it, too short to leak a whole text. */
const MAX_EXCERPT_LENGTH = 40;

/** Describes a value for a sentence, with at most 40 of its characters. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : `"${excerpt(value)}"`;
  // JSON.parse has rounded it, so it is not the number that was sent.
  if (typeof value === 'number' && !isExact(value)) return 'a number beyond 2^53';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'something else';
}

/** Maximum length of a field name in a path; the contract's own names are shorter. */
export const MAX_PATH_SEGMENT_LENGTH = 100;

/** The start of a text, with unprintable characters replaced. */
export function excerpt(text: string, maxLength = MAX_EXCERPT_LENGTH): string {
  const start = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return replaceInvisible(start, '\ufffd');
}
