import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { type Pass } from '../pass';
import { ABSENT, FAILED, type Reader } from '../reader';
import { choiceFault, choiceReader } from './choice';
import { NULL } from './null';

export const NOT_AN_OBJECT = new Fault('invalid', 'Enter a JSON object.');
const REQUIRED = new Fault('required', 'This field is required.', false);

/** Reads a value known to be an object: undefined when all is right as it is, else a copy or FAILED. */
export type ObjectReader = (input: Record<string, unknown>, pass: Pass) => unknown;

export class Field {
  /**
   * The field that followed this one the last time. Payloads of one supplier spell their keys in one order, so
   * the guess saves looking most keys up; when it is wrong it only costs a comparison.
   */
  next: Field = this;

  constructor(
    readonly key: string,
    readonly read: Reader,
    /** 1 or 0, so that the fields that must be there can be counted without asking. */
    readonly required: number,
  ) {}
}

/**
 * Goes through the payload's keys once, in their order. Nothing is copied until a value turns out to be
 * stored differently from how it was sent, or not at all.
 */
export function objectReader(fields: ReadonlyMap<string, Field>): ObjectReader {
  const required = [...fields.values()].filter((field) => field.required === 1);
  const mostRequired = required.length;
  const start = new Field('', () => undefined, 0);

  return (input, pass) => {
    const firstError = pass.errors.length;
    let copy: Record<string, unknown> | undefined;
    let dropped: string[] | undefined;
    let present = 0;
    let failed = false;
    let last = start;
    for (const key in input) {
      const value = input[key];
      let field: Field | undefined = last.next;
      if (field.key !== key || value === undefined) {
        field = fields.get(key);
        if (field === undefined || value === undefined) {
          if (field === undefined) pass.ignore(key, value);
          if (pass.isFull) return FAILED;
          (dropped ??= []).push(key);
          continue;
        }
        last.next = field;
      }
      last = field;
      present += field.required;
      const result = field.read(value, pass);
      if (result === undefined) continue;
      if (result === FAILED) failed = true;
      else if (result instanceof Fault) pass.report(result, key, value);
      else if (result === ABSENT) (dropped ??= []).push(key);
      else (copy ??= { ...input })[key] = result;
      if (pass.isFull) return FAILED;
    }
    if (present !== mostRequired) reportMissing(required, input, pass, firstError);
    if (failed || pass.errors.length !== firstError) return FAILED;
    return dropped === undefined ? copy : without(copy ?? input, dropped);
  };
}

function reportMissing(
  required: Field[],
  input: Record<string, unknown>,
  pass: Pass,
  position: number,
): void {
  const missing = required.filter(({ key }) => input[key] === undefined);
  const keys = missing.map(({ key }) => key);
  pass.reportMissing(REQUIRED, keys, position);
}

/** A copy of `object` without some of its keys, which are in the order of the object. */
function without(object: Record<string, unknown>, dropped: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  let next = 0;
  for (const key in object) {
    if (key === dropped[next]) next += 1;
    else copy[key] = object[key];
  }
  return copy;
}

/** Hands an object to the variant that its discriminator names. */
export function unionReader(
  discriminator: string,
  variants: ReadonlyMap<string, ObjectReader>,
): ObjectReader {
  const values = [...variants.keys()];
  const readChoice = choiceReader(values, false);
  const badChoice = choiceFault(values);
  return (input, pass) => {
    const choice = input[discriminator];
    const variant = variants.get(choice as string);
    if (variant) return variant(input, pass);
    const fault = choice === undefined ? REQUIRED : readChoice(choice, pass);
    pass.report(fault instanceof Fault ? fault : badChoice, discriminator, choice);
    return FAILED;
  };
}

/** A field that holds one object. */
export function nestedReader(key: string, nullable: boolean, read: ObjectReader): Reader {
  return (value, pass) => {
    if (!isObject(value)) {
      if (value === null) return nullable ? undefined : NULL;
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
