import { Account } from './account/account';
import { Compiler } from './compiler/compile';
import { Fault } from './compiler/fault';
import { Pass } from './compiler/pass';
import { FAILED } from './compiler/reader';
import { type SchemaContext, type Validated, type ValidationProfile } from './context';
import { isObject } from './vocabulary/json';
import { type ObjectType } from './vocabulary/shape';

const NOT_AN_OBJECT = new Fault('invalid', 'Enter a JSON object.');

const compilers: Record<ValidationProfile, Compiler> = {
  core: new Compiler('core'),
  'gb-energy': new Compiler('gb-energy'),
};

/** Validates and reads an account: every field check of the contract, no rule that looks at several fields. */
export function validateAccount(input: unknown, context: SchemaContext): Validated<Account> {
  return validateObject(Account, input, context);
}

/**
 * Validates and reads `input` as the contract's class `type`, which is compiled at its first use.
 * All errors are found in one go, in the order of the payload; an object's missing fields come first.
 */
export function validateObject<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
): Validated<T> {
  const read = compilers[context.profile].objectReader(type);
  const pass = new Pass(context);
  const result = isObject(input) ? read(input, pass) : FAILED;
  if (!isObject(input)) pass.reportAt(NOT_AN_OBJECT, 'non_field_errors', input);
  const { ignoredFields } = pass;
  if (result === FAILED || pass.errors.length > 0)
    return { ok: false, errors: pass.reported(), ignoredFields };
  return { ok: true, value: (result ?? input) as T, ignoredFields };
}
