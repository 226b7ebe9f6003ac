import { Account } from './account/account';
import { Compiler } from './compiler/compile';
import { Fault } from './compiler/fault';
import { Pass } from './compiler/pass';
import { FAILED } from './compiler/reader';
import { type FieldError, type SchemaContext, type Validated, type ValidationProfile } from './context';
import { breachesDespite, breachesIn } from './rules/check-rules';
import { BODIES } from './request/bodies';
import { inPayloadOrder } from './rules/engine/payload-order';
import { withImporterChanges } from './rules/importer-changes';
import { isObject } from './vocabulary/json';
import { type ObjectType } from './vocabulary/shape';

const NOT_AN_OBJECT = new Fault('invalid', 'Enter a JSON object.');

const compilers: Record<ValidationProfile, Compiler> = {
  core: new Compiler('core'),
  'gb-energy': new Compiler('gb-energy'),
};

/**
 * Compiles every body of the contract, for all profiles. Without it each is compiled at its first use; a service
 * calls it while it starts, so that the first request is as fast as the next and a decorator that cannot be
 * compiled stops the start.
 *
 * @throws UnsupportedRule naming class and property
 */
export function compileContract(): void {
  for (const compiler of Object.values(compilers)) for (const type of BODIES) compiler.objectReader(type);
}

/**
 * Validates and reads an account: every field check of the contract, and every rule that needs no database.
 * The account that is answered has the importer's changes in it.
 */
export function validateAccount(input: unknown, context: SchemaContext): Validated<Account> {
  return validateBody(Account, input, context, withImporterChanges);
}

/**
 * Validates and reads a body by its fields and by the rules about it; all errors at once, in the order of the
 * body. Rules are run on what `prepare` makes of the body once its fields are right.
 */
export function validateBody<T extends object>(
  type: ObjectType<T>,
  input: unknown,
  context: SchemaContext,
  prepare: (body: T) => T = (body) => body,
): Validated<T> {
  const fields = validateObject(type, input, context);
  const { ignoredFields } = fields;
  if (!fields.ok) {
    const read = compilers[context.profile].objectReader(type);
    if (!isComplete(fields.errors)) return fields;
    const breaches = breachesDespite(fields.errors, type, input, read, context);
    return { ok: false, errors: reported([...fields.errors, ...breaches], input, context), ignoredFields };
  }
  const value = prepare(fields.value);
  const breaches = breachesIn(type, value, context);
  return breaches.length > 0
    ? { ok: false, errors: reported(breaches, input, context), ignoredFields }
    : { ok: true, value, ignoredFields };
}

/** Whether the field checks went through the whole body; beyond their limit nobody knows what is right. */
function isComplete(errors: readonly FieldError[]): boolean {
  return errors.at(-1)?.code !== 'too_many_errors';
}

/** In the order of the body, and no more than the context permits. */
function reported(errors: readonly FieldError[], input: unknown, context: SchemaContext): FieldError[] {
  const pass = new Pass(context);
  pass.errors.push(...inPayloadOrder(errors, input));
  return pass.reported();
}

/**
 * Validates and reads `input` as the contract's class `type`, which is compiled at its first use: every field
 * check of the contract, no rule that looks at several fields. All errors are found in one go, in the order of
 * the payload; an object's missing fields come first.
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
