import type { FieldError, SchemaContext } from '../context';
import { isExact } from '../vocabulary/json';
import { isStorable } from '../vocabulary/text';
import { excerpt, Fault, MAX_PATH_SEGMENT_LENGTH } from './fault';
import { findNearestName } from './nearest-name';
import { MEMBERS_OF_STEP } from './steps';
import { setTripwire } from './tripwire';

const UNKNOWN_FIELD = new Fault('unknown_field', 'This field is not part of the contract.', false);
const UNSTORABLE_TEXT = new Fault(
  'invalid',
  'Text must not contain NUL characters or unpaired surrogates.',
  false,
);
const UNSTORABLE_KEY = new Fault(
  'invalid',
  'Field names must not contain NUL characters or unpaired surrogates.',
  false,
);

const INEXACT_NUMBER = new Fault(
  'invalid',
  'Enter a whole number between -9007199254740991 and 9007199254740991, or send the number as text.',
);

/** The rest of a list, which a later step reads. */
class Remainder {
  constructor(
    readonly path: readonly (string | number)[],
    readonly read: () => void,
  ) {}
}

/** An error, the path of an undocumented field, or what a later step reads. */
type Finding = FieldError | string | Remainder;

/**
 * The state of one validation: the current path in the payload and the errors found. Paths are kept as segments
 * and joined only when an error is reported.
 */
export class Pass {
  /** The errors and undocumented fields up to the limit. Complete once {@link readNext} has returned false. */
  readonly errors: FieldError[] = [];
  readonly ignoredFields: string[] = [];
  /** What this step and those before it have found beyond that, in the order of the payload. */
  found: Finding[] = [];
  /** Names and indexes of the containers around the current value; only the first `depth` entries are valid. */
  readonly path: (string | number)[] = [];
  depth = 0;
  /** The number of all errors, of which `errors` has those up to the limit. */
  errorCount = 0;

  /** Errors and undocumented fields before the current value that are listed. */
  private listedErrorCount = 0;
  private listedFieldCount = 0;
  private membersLeft = MEMBERS_OF_STEP;

  readonly region: string;
  readonly timeZone: string;
  readonly maxArrayItems: number;
  /** True if undocumented fields stay in the converted value as they came. */
  readonly keepsUndocumented: boolean;
  private readonly maxNesting: number;
  private readonly maxErrors: number;
  private readonly rejectsUndocumented: boolean;

  constructor(context: SchemaContext) {
    this.region = context.region;
    this.timeZone = context.timeZone;
    this.keepsUndocumented = context.keepUndocumentedFields ?? false;
    this.maxArrayItems = context.limits.arrayItems;
    this.maxNesting = context.limits.nesting;
    this.maxErrors = context.limits.errors;
    this.rejectsUndocumented = context.rejectUndocumentedFields;
  }

  /** Counts a member of a list. Returns false if this step reads no more of them: the list must be put off. */
  takeMember(): boolean {
    this.membersLeft -= 1;
    return this.membersLeft >= 0;
  }

  /** Has a later step read the rest of the list at the current path. */
  putOff(read: () => void): void {
    this.found.push(new Remainder(this.path.slice(0, this.depth), read));
  }

  /** Reads the next list that was put off. Returns false if there is none. */
  readNext(): boolean {
    const { found } = this;
    let position = 0;
    let next: Remainder | undefined;
    for (const finding of found) {
      position += 1;
      if (finding instanceof Remainder) {
        next = finding;
        break;
      }
      this.list(finding);
    }
    if (!next) return false;
    this.found = [];
    this.listedErrorCount = this.errors.length;
    this.listedFieldCount = this.ignoredFields.length;
    this.membersLeft = MEMBERS_OF_STEP;
    // oxlint-disable-next-line portage/no-unbounded-spread -- at most limits.nesting
    this.path.splice(0, Infinity, ...next.path);
    this.depth = next.path.length;
    next.read();
    this.found = [...this.found, ...found.slice(position)];
    return true;
  }

  private list(finding: FieldError | string): void {
    if (typeof finding !== 'string') {
      if (this.errors.length < this.maxErrors) this.errors.push(finding);
    } else if (this.ignoredFields.length < this.maxErrors) this.ignoredFields.push(finding);
    else this.ignoredFields[this.maxErrors] = MORE_IGNORED;
  }

  /** Reports `fault` at the field or index `key` of the container being read. */
  report(fault: Fault, key: string | number, value: unknown): void {
    if (this.isFull) this.errorCount += 1;
    else this.reportAt(fault, this.pathTo(key), value);
  }

  /** Reports `fault` about the whole value at `key`, as `non_field_errors`: for objects and lists of objects. */
  reportWhole(fault: Fault, key: string | number, value: unknown): void {
    if (this.isFull) this.errorCount += 1;
    else this.reportAt(fault, `${this.pathTo(key)}.non_field_errors`, value);
  }

  /** Reports `fault` at the dotted path `attr`. */
  reportAt(fault: Fault, attr: string, value: unknown): void {
    this.errorCount += 1;
    this.listedErrorCount += 1;
    this.found.push({ detail: fault.describe(value), code: fault.code, attr });
  }

  /** Sets a tripwire in place of an invalid value. With more errors than are listed no rule runs, and none is needed. */
  markInvalid(container: object, key: string | number): void {
    if (this.errorCount <= this.maxErrors) setTripwire(container, key);
  }

  /** True if further errors are counted only. */
  private get isFull(): boolean {
    return this.listedErrorCount >= this.maxErrors;
  }

  /** Inserts the errors about missing required fields of an object before what was found inside it. */
  reportMissing(fields: readonly { key: string; missing: Fault }[], position: number): void {
    this.errorCount += fields.length;
    if (this.isFull && position === this.found.length) return;
    const missing = fields.map(({ key, missing: fault }) => ({
      detail: fault.describe(undefined),
      code: fault.code,
      attr: this.pathTo(key),
    }));
    this.listedErrorCount += missing.length;
    // oxlint-disable-next-line portage/no-unbounded-spread -- at most the fields of a class
    this.found.splice(position, 0, ...missing);
  }

  /**
   * Records an undocumented field and scans its content for values that cannot be stored.
   *
   * @param documented the names of the fields of the object
   */
  ignore(key: string, value: unknown, documented: ReadonlyMap<string, unknown>): void {
    if (this.rejectsUndocumented) {
      const name = this.isFull ? undefined : findNearestName(key, documented.keys());
      this.report(name === undefined ? UNKNOWN_FIELD : misspelt(name), key, value);
      return;
    }
    if (this.listedFieldCount <= this.maxErrors)
      this.found.push(this.listedFieldCount < this.maxErrors ? this.pathTo(key) : MORE_IGNORED);
    this.listedFieldCount += 1;
    if (!isStorable(key)) this.report(UNSTORABLE_KEY, key, value);
    this.scan(key, value);
  }

  /**
   * Scans JSON without a schema for unstorable text, numbers that JSON.parse has changed, too deep nesting and too long
   * lists, and reports them.
   * Recursion ends at the nesting limit. Returns true if nothing was reported.
   */
  scan(key: string | number, value: unknown): boolean {
    if (typeof value === 'string') {
      if (isStorable(value)) return true;
      this.report(UNSTORABLE_TEXT, key, value);
      return false;
    }
    if (typeof value === 'number' && !isExact(value)) {
      this.report(INEXACT_NUMBER, key, value);
      return false;
    }
    if (typeof value !== 'object' || value === null) return true;
    const tooMuch =
      this.depth + 2 > this.maxNesting
        ? nestingFaultOf(this.maxNesting)
        : findListLengthFault(value, this.maxArrayItems);
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
    for (let i = 0; i < list.length; i += 1) {
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
    }
    return isFine;
  }

  /** The errors in order, cut to the limit; see {@link capErrors}. */
  cappedErrors(): FieldError[] {
    return capErrors(this.errors, this.errorCount, this.maxErrors);
  }

  /** Dotted path of a field of the current container. Long names from the payload are cut. */
  pathTo(key: string | number): string {
    let path = '';
    for (let i = 0; i < this.depth; i += 1) path += `${segment(this.path[i] ?? '')}.`;
    return path + segment(key);
  }
}

const TOO_MANY_ERRORS = 'too_many_errors';

/**
 * Cuts errors to a limit. If there are more, the last one says how many there are.
 *
 * @param errors in order; may have been cut before
 * @param errorCount the number of all errors
 */
export function capErrors(
  errors: readonly FieldError[],
  errorCount: number,
  maxErrors: number,
): FieldError[] {
  const found = errors.filter(({ code }) => code !== TOO_MANY_ERRORS);
  if (errorCount <= maxErrors) return found;
  const listed = found.slice(0, maxErrors - 1);
  listed.push({
    detail: `${errorCount} errors were found, and the first ${listed.length} are listed. Correct these and send it again.`,
    code: TOO_MANY_ERRORS,
    attr: 'non_field_errors',
  });
  return listed;
}

/** The last entry of a list of ignored fields that is incomplete. */
const MORE_IGNORED = '...';

/** The fault of an undocumented field whose name is near that of a documented one. */
function misspelt(name: string): Fault {
  return new Fault(
    'unknown_field',
    `This field is not part of the contract. Did you mean \`${name}\`?`,
    false,
  );
}

function segment(key: string | number): string {
  return typeof key === 'number' ? String(key) : excerpt(key, MAX_PATH_SEGMENT_LENGTH);
}

/** The fault of a list with too many members, or undefined. */
export function findListLengthFault(value: unknown, arrayItems: number): Fault | undefined {
  if (!Array.isArray(value) || value.length <= arrayItems) return undefined;
  return new Fault('max_length', `A list may have at most ${arrayItems} members.`);
}

function nestingFaultOf(nesting: number): Fault {
  return new Fault('max_nesting', `Objects and lists may be nested ${nesting} deep at most.`, false);
}
