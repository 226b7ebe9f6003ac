import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import type { Pass } from '../pass';
import { ABSENT, FAILED, type Reader } from '../reader';
import { choiceFault, choiceReader } from './choice';

/** The fault of a value that is not a JSON object. */
export const NOT_AN_OBJECT = new Fault('invalid', 'Enter a JSON object.');
export const REQUIRED = new Fault('required', 'This field is required.', false);
/** The fault of null in a field that is not nullable. null does not count as absent. */
export const NULL = new Fault('null', 'null is not allowed here: leave the field out instead.', false);

/**
 * Reads an object. Returns undefined if it needs no conversion, or a converted copy. In a copy of an object with errors,
 * each invalid value and each required one that is missing is replaced by a tripwire. FAILED if its class is unknown.
 */
export type ObjectReader = (input: Record<string, unknown>, pass: Pass) => unknown;

/** A field of a compiled class. */
export class Field {
  /**
   * The field that followed this one in the last payload. Payloads of one supplier have their keys in the same
   * order, so this guess saves most lookups. A wrong guess costs only a comparison.
   */
  next: Field = this;

  constructor(
    readonly key: string,
    /** Reads any value but null. */
    readonly read: Reader,
    /** What a reader would return for null. */
    readonly whenNull: Fault | typeof ABSENT | undefined,
    /** 1 or 0, so that required fields are counted without a branch. */
    readonly required: number,
    /** The fault if a required field is missing. */
    readonly missing: Fault = REQUIRED,
  ) {}
}

/**
 * Iterates over the payload's keys once, in their order. Nothing is copied until a value has to be converted or
 * dropped.
 */
export function objectReader(fields: ReadonlyMap<string, Field>): ObjectReader {
  const required = [...fields.values()].filter((field) => field.required === 1);
  const requiredCount = required.length;
  const start = new Field('', () => undefined, undefined, 0);

  return (input, pass) => {
    const position = pass.found.length;
    let copy: Record<string, unknown> | undefined;
    let dropped: string[] | undefined;
    let invalid: string[] | undefined;
    let presentCount = 0;
    let last = start;
    for (const key in input) {
      const value = input[key];
      let field: Field | undefined = last.next;
      if (field.key !== key || value === undefined) {
        field = fields.get(key);
        if (field === undefined || value === undefined) {
          if (field === undefined) pass.ignore(key, value, fields);
          if (field === undefined && pass.keepsUndocumented) continue;
          (dropped ??= []).push(key);
          continue;
        }
        last.next = field;
      }
      last = field;
      presentCount += field.required;
      const result = value === null ? field.whenNull : field.read(value, pass);
      if (result === undefined) continue;
      if (result instanceof Fault || result === FAILED) {
        if (result !== FAILED) pass.report(result, key, value);
        (invalid ??= []).push(key);
      } else if (result === ABSENT) (dropped ??= []).push(key);
      else (copy ??= { ...input })[key] = result;
    }
    if (presentCount !== requiredCount) {
      const missing = required.filter((field) => input[field.key] === undefined);
      pass.reportMissing(missing, position);
      invalid = [...(invalid ?? []), ...missing.map(({ key }) => key)];
    }
    const value = dropped === undefined ? copy : omitKeys(copy ?? input, dropped);
    if (invalid === undefined) return value;
    const marked = value ?? { ...input };
    for (const key of invalid) pass.markInvalid(marked, key);
    return marked;
  };
}

/** A copy of `object` without the `dropped` keys, which must be in the order of the object. */
function omitKeys(object: Record<string, unknown>, dropped: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  let next = 0;
  for (const key in object) {
    if (key === dropped[next]) next += 1;
    else copy[key] = object[key];
  }
  return copy;
}

/** Reads an object with the variant that its discriminator selects. */
export function unionReader(
  discriminator: string,
  variants: ReadonlyMap<string, ObjectReader>,
): ObjectReader {
  const values = [...variants.keys()];
  const readChoice = choiceReader(values);
  const badChoice = choiceFault(values);
  return (input, pass) => {
    const choice = input[discriminator];
    const variant = variants.get(choice as string);
    if (variant) return variant(input, pass);
    const fault = choice === null ? NULL : choice === undefined ? REQUIRED : readChoice(choice, pass);
    pass.report(fault instanceof Fault ? fault : badChoice, discriminator, choice);
    return FAILED;
  };
}

/** A field that holds one object. */
export function nestedReader(key: string, read: ObjectReader): Reader {
  return (value, pass) => {
    if (!isObject(value)) {
      pass.reportWhole(NOT_AN_OBJECT, key, value);
      return FAILED;
    }
    pass.path[pass.depth] = key;
    pass.depth += 1;
    const result = read(value, pass);
    pass.depth -= 1;
    return result;
  };
}
