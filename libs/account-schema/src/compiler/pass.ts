import { type FieldError, type SchemaContext } from '../context';
import { isStorable } from '../vocabulary/text';
import { excerpt, Fault } from './fault';

const UNKNOWN_FIELD = new Fault('unknown_field', 'This field is not part of the contract.', false);
const UNSTORABLE_TEXT = new Fault(
  'invalid',
  'Text must not contain NUL characters or halves of surrogate pairs.',
  false,
);
const UNSTORABLE_KEY = new Fault(
  'invalid',
  'Field names must not contain NUL characters or halves of surrogate pairs.',
  false,
);

/**
 * The state of one validation: where it stands in the payload, and what it has found. Paths are kept as
 * segments and only written out for what is reported.
 */
export class Pass {
  readonly errors: FieldError[] = [];
  readonly ignoredFields: string[] = [];
  /** Names and indexes of the containers around the value being read; only the first `depth` count. */
  readonly path: (string | number)[] = [];
  depth = 0;
  /** Set once there are more errors than are returned: the rest of the payload need not be looked at. */
  isFull = false;

  readonly region: string;
  readonly arrayItems: number;
  private readonly nesting: number;
  private readonly mostErrors: number;
  private readonly rejectsUnknown: boolean;
  private readonly tooDeep: Fault;

  constructor(context: SchemaContext) {
    this.region = context.region;
    this.arrayItems = context.limits.arrayItems;
    this.nesting = context.limits.nesting;
    this.mostErrors = context.limits.errors;
    this.rejectsUnknown = context.rejectUndocumentedFields;
    this.tooDeep = tooDeep(this.nesting);
  }

  /** Reports `fault` at the field or index `key` of the container being read. */
  report(fault: Fault, key: string | number, value: unknown): void {
    if (!this.isFull) this.reportAt(fault, this.pathTo(key), value);
  }

  /** Reports `fault` about the value at `key` as a whole: objects and lists of objects are named so. */
  reportWhole(fault: Fault, key: string | number, value: unknown): void {
    if (!this.isFull) this.reportAt(fault, `${this.pathTo(key)}.non_field_errors`, value);
  }

  reportAt(fault: Fault, attr: string, value: unknown): void {
    this.errors.push({ detail: fault.describe(value), code: fault.code, attr });
    this.isFull = this.errors.length > this.mostErrors;
  }

  /** Puts the required fields that an object lacks before what was found inside it. */
  reportMissing(fault: Fault, keys: readonly string[], position: number): void {
    const missing = keys.map((key) => ({
      detail: fault.describe(undefined),
      code: fault.code,
      attr: this.pathTo(key),
    }));
    this.errors.splice(position, 0, ...missing);
    this.isFull = this.errors.length > this.mostErrors;
  }

  /** Notes an undocumented field, and looks through its content for what nothing could store. */
  ignore(key: string, value: unknown): void {
    if (this.rejectsUnknown) {
      this.report(UNKNOWN_FIELD, key, value);
      return;
    }
    if (this.ignoredFields.length < this.mostErrors) this.ignoredFields.push(this.pathTo(key));
    if (!isStorable(key)) this.report(UNSTORABLE_KEY, key, value);
    this.scan(key, value);
  }

  /**
   * Looks for unstorable text, and for too much nesting or too long lists, in JSON that has no schema.
   * Recursion ends at the nesting limit. Says whether all was well.
   */
  scan(key: string | number, value: unknown): boolean {
    if (typeof value === 'string') {
      if (isStorable(value)) return true;
      this.report(UNSTORABLE_TEXT, key, value);
      return false;
    }
    if (typeof value !== 'object' || value === null) return true;
    const tooMuch = this.depth + 2 > this.nesting ? this.tooDeep : tooLong(value, this.arrayItems);
    if (tooMuch) {
      this.report(tooMuch, key, value);
      return false;
    }
    this.path[this.depth] = key;
    this.depth += 1;
    const isFine = Array.isArray(value) ? this.scanList(value) : this.scanObject(value);
    this.depth -= 1;
    return isFine;
  }

  private scanList(list: unknown[]): boolean {
    let isFine = true;
    for (let i = 0; i < list.length && !this.isFull; i += 1) {
      if (!this.scan(i, list[i])) isFine = false;
    }
    return isFine;
  }

  private scanObject(object: object): boolean {
    let isFine = true;
    for (const [key, value] of Object.entries(object)) {
      if (!isStorable(key)) {
        this.report(UNSTORABLE_KEY, key, value);
        isFine = false;
      }
      if (!this.scan(key, value)) isFine = false;
      if (this.isFull) break;
    }
    return isFine;
  }

  /** Errors in order, cut to the limit; the last then says that there were more. */
  reported(): FieldError[] {
    if (this.errors.length <= this.mostErrors) return this.errors;
    const kept = this.errors.slice(0, this.mostErrors - 1);
    kept.push({
      detail: `There are more errors than the ${this.mostErrors - 1} listed here. Correct these and validate again.`,
      code: 'too_many_errors',
      attr: 'non_field_errors',
    });
    return kept;
  }

  /** Dotted path of a field of the container being read. Names from the payload are cut to an excerpt. */
  pathTo(key: string | number): string {
    let path = '';
    for (let i = 0; i < this.depth; i += 1) path += `${segment(this.path[i] ?? '')}.`;
    return path + segment(key);
  }
}

/** Longest piece of a field's name in a path; the contract's own names are shorter. */
const LONGEST_KEY = 100;

function segment(key: string | number): string {
  return typeof key === 'number' ? String(key) : excerpt(key, LONGEST_KEY);
}

/** What to say of a list with too many members. */
export function tooLong(value: unknown, arrayItems: number): Fault | undefined {
  if (!Array.isArray(value) || value.length <= arrayItems) return undefined;
  return new Fault('max_length', `A list may have at most ${arrayItems} members.`);
}

const tooDeepFaults = new Map<number, Fault>();

function tooDeep(nesting: number): Fault {
  let fault = tooDeepFaults.get(nesting);
  if (!fault) {
    fault = new Fault('max_nesting', `Objects and lists may be nested ${nesting} deep at most.`, false);
    tooDeepFaults.set(nesting, fault);
  }
  return fault;
}
