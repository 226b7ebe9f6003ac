import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { type Pass } from '../pass';
import { ABSENT, FAILED, type Reader } from '../reader';
import { choiceFault } from './choice';
import { NULL } from './null';

export const NOT_AN_OBJECT = new Fault('invalid', 'Enter a JSON object.');
const REQUIRED = new Fault('required', 'This field is required.', false);

/** Reads a value known to be an object: the object itself when all is as it should be, a copy, or FAILED. */
export type ObjectReader = (input: Record<string, unknown>, pass: Pass) => unknown;

export class Field {
  constructor(
    readonly key: string,
    readonly read: Reader,
    /** 1 or 0, so that the fields that must be there can be counted without asking. */
    readonly required: number,
  ) {}
}

/**
 * Goes through the payload's keys once, in their order. Nothing is copied until a value turns out to be
 * stored differently from how it was sent; then the copy holds the documented fields only.
 */
export function objectReader(fields: ReadonlyMap<string, Field>): ObjectReader {
  const required = [...fields.values()].filter((field) => field.required === 1);
  const mostRequired = required.length;

  return (input, pass) => {
    const firstError = pass.errors.length;
    let copy: Record<string, unknown> | undefined;
    let present = 0;
    let failed = false;
    for (const key in input) {
      const value = input[key];
      const field = fields.get(key);
      if (field === undefined || value === undefined) {
        if (field === undefined) pass.ignore(key, value);
        copy ??= copyUntil(input, key, fields);
        if (pass.isFull) return FAILED;
        continue;
      }
      present += field.required;
      const result = field.read(value, pass);
      if (result === value) {
        if (copy !== undefined) copy[key] = value;
        continue;
      }
      if (result === FAILED) failed = true;
      else if (result instanceof Fault) pass.report(result, key, value);
      else {
        copy ??= copyUntil(input, key, fields);
        if (result !== ABSENT) copy[key] = result;
      }
      if (pass.isFull) return FAILED;
    }
    if (present !== mostRequired) {
      const missing = required.filter(({ key }) => !Object.hasOwn(input, key) || input[key] === undefined);
      pass.reportMissing(
        REQUIRED,
        missing.map(({ key }) => key),
        firstError,
      );
    }
    if (failed || pass.errors.length !== firstError) return FAILED;
    return copy ?? input;
  };
}

/** The documented fields that come before `end`: all of them were right as they are. */
function copyUntil(
  input: Record<string, unknown>,
  end: string,
  fields: ReadonlyMap<string, Field>,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key in input) {
    if (key === end) break;
    if (fields.has(key)) copy[key] = input[key];
  }
  return copy;
}

/** Hands an object to the variant that its discriminator names. */
export function unionReader(
  discriminator: string,
  variants: ReadonlyMap<string, ObjectReader>,
): ObjectReader {
  const badChoice = choiceFault([...variants.keys()]);
  return (input, pass) => {
    const choice = input[discriminator];
    const variant = variants.get(choice as string);
    if (variant) return variant(input, pass);
    if (choice === undefined || !Object.hasOwn(input, discriminator))
      pass.report(REQUIRED, discriminator, choice);
    else pass.report(choice === null ? NULL : badChoice, discriminator, choice);
    return FAILED;
  };
}

/** A field that holds one object. */
export function nestedReader(key: string, nullable: boolean, read: ObjectReader): Reader {
  return (value, pass) => {
    if (!isObject(value)) {
      if (value === null) return nullable ? null : NULL;
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
