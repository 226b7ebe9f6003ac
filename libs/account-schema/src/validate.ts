import { Account } from './contract/account';
import { Compiler } from './compiler/compile';
import { Fault } from './compiler/fault';
import { capErrors, Pass } from './compiler/pass';
import { FAILED } from './compiler/reader';
import { complete, type Steps } from './compiler/steps';
import type { FieldError, SchemaContext, Validated, ValidationProfile } from './context';
import { checkRules, withAllFields } from './rules/check-rules';
import { BODIES } from './contract/requests';
import { sortByPayloadOrder } from './rules/engine/payload-order';
import type { Breaches } from './rules/engine/rule-set';
import { withImporterChanges } from './rules/importer-changes';
import { isObject } from './vocabulary/json';
import type { ObjectType } from './vocabulary/shape';

const NOT_AN_OBJECT = new Fault('invalid', 'Enter a JSON object.');

const compilers: Record<ValidationProfile, Compiler> = {
  core: new Compiler('core'),
  'gb-energy': new Compiler('gb-energy'),
};

/**
 * Compiles every body of the contract for all profiles. Without this call, each body is compiled at its first use. A
 * service calls it at start-up, so that the first request is not slower than later ones and a decorator that cannot be
 * compiled fails the start.
 *
 * @throws UnsupportedConstraint naming the class and the property
 */
export function compileContract(): void {
  for (const compiler of Object.values(compilers)) for (const type of BODIES) compiler.objectReader(type);
}

/**
 * Validates and converts an account: runs all field checks of the contract and all rules that need no database.
 * The returned account includes the importer's changes (see `withImporterChanges`).
 */
export function validateAccount(input: unknown, context: SchemaContext): Validated<Account> {
  return complete(validateAccountInSteps(input, context));
}

/** As {@link validateAccount}, in steps. */
export function validateAccountInSteps(input: unknown, context: SchemaContext): Steps<Validated<Account>> {
  return validateBodyInSteps(Account, input, context, withImporterChanges);
}

/**
 * Converts an account that was valid in a context with the same digest (see `digestContext`), in steps. Its fields are
 * checked, because they are converted; its rules are not run again.
 */
export function* readValidAccountInSteps(input: unknown, context: SchemaContext): Steps<Validated<Account>> {
  const fields = yield* validateObjectInSteps(Account, input, context);
  return fields.ok ? { ...fields, value: withImporterChanges(fields.value) } : fields;
}

/**
 * Validates and converts a body with its field checks and its rules. Returns all errors at once, in the order of
 * the body.
 */
export function validateBody<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
): Validated<T> {
  return complete(validateBodyInSteps(type, input, context));
}

/** As {@link validateBody}, in steps. If all fields are valid, the rules run on the result of `prepare`. */
export function* validateBodyInSteps<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
  prepare: (body: T) => T = (body) => body,
): Steps<Validated<T>> {
  const { fields, part } = yield* readInSteps(type, input, context);
  const { ignoredFields } = fields;
  if (!fields.ok) {
    // The rules need to know every invalid value.
    if (!part || fields.errorCount > fields.errors.length) return fields;
    const breaches = yield* checkRules(type, part, context);
    return { ok: false, ...orderAndCap(fields.errors, breaches, input, context), ignoredFields };
  }
  const value = prepare(fields.value);
  const checked = type === Account ? withAllFields(value as Account) : value;
  const breaches = yield* checkRules(type, checked, context);
  return breaches.count > 0
    ? { ok: false, ...orderAndCap([], breaches, input, context), ignoredFields }
    : { ok: true, value, ignoredFields };
}

/** Sorts errors in the order of the body and cuts them to the limit of the context. */
function orderAndCap(
  fieldErrors: readonly FieldError[],
  breaches: Breaches,
  input: unknown,
  { limits }: SchemaContext,
): { errors: FieldError[]; errorCount: number } {
  const errorCount = fieldErrors.length + breaches.count;
  const sorted = sortByPayloadOrder([...fieldErrors, ...breaches.listed], input);
  return { errors: capErrors(sorted, errorCount, limits.errors), errorCount };
}

/**
 * Validates and converts `input` as the contract class `type`, with its field checks only and no rules that look
 * at several fields. The class is compiled at its first use. Returns all errors at once, in the order of the
 * payload; the missing fields of an object come first.
 *
 * @throws UnsupportedConstraint if a decorator of the class cannot be compiled
 */
export function validateObject<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
): Validated<T> {
  return complete(validateObjectInSteps(type, input, context));
}

/** As {@link validateObject}, in steps. */
export function* validateObjectInSteps<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
): Steps<Validated<T>> {
  return (yield* readInSteps(type, input, context)).fields;
}

/** Checks the fields of a body. If some are invalid, `part` is the body with tripwires in their place. */
function* readInSteps<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
): Steps<{ fields: Validated<T>; part?: object }> {
  const read = compilers[context.profile].objectReader(type);
  const pass = new Pass(context);
  let result: unknown = FAILED;
  if (isObject(input)) result = read(input, pass);
  else pass.reportAt(NOT_AN_OBJECT, 'non_field_errors', input);
  while (pass.readNext()) yield;
  const { ignoredFields, errorCount } = pass;
  const value = (result ?? input) as T;
  if (errorCount === 0) return { fields: { ok: true, value, ignoredFields } };
  const fields: Validated<T> = { ok: false, errors: pass.cappedErrors(), errorCount, ignoredFields };
  return result === FAILED ? { fields } : { fields, part: value };
}
