/**
 * One way in which a value can break a rule: a constant made at compile time, so that finding a fault
 * allocates nothing; the sentence is only written once the fault is reported.
 */
export class Fault {
  constructor(
    readonly code: string,
    private readonly sentence: string,
    private readonly showsValue = true,
  ) {}

  describe(value: unknown): string {
    return this.showsValue ? `${this.sentence} Found ${found(value)}.` : this.sentence;
  }
}

/** Longest piece of a payload that a message repeats: enough to recognise it, too little to leak a letter. */
const LONGEST_ECHO = 40;

/** Names a value in a sentence, in at most 40 of its characters. */
function found(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : `"${excerpt(value)}"`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'something else';
}

/** The start of a text in printable characters. */
export function excerpt(text: string, longest = LONGEST_ECHO): string {
  const start = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return start.replace(UNPRINTABLE, '\ufffd');
}

const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
