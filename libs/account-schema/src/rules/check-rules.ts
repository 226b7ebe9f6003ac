import { Account } from '../account/account';
import type { ObjectReader } from '../compiler/readers/object';
import type { Steps } from '../compiler/steps';
import type { FieldError, SchemaContext, ValidationProfile } from '../context';
import { isObject } from '../vocabulary/json';
import type { ObjectType } from '../vocabulary/shape';
import { Facts } from './engine/facts';
import { type Breaches, RuleSet } from './engine/rule-set';
import { readDespiteErrors } from './engine/read-despite-errors';
import { BODIES_WITH_RULES } from './engine/scope';
import { RULES } from './list';

const ruleSets: Record<ValidationProfile, RuleSet> = {
  core: new RuleSet(RULES, 'core'),
  'gb-energy': new RuleSet(RULES, 'gb-energy'),
};

/**
 * Returns the breaches of rules in a body whose fields are valid, in no particular order. Excludes the rules that
 * need the database; see `checkDatabaseRules`.
 */
export function checkRules(type: ObjectType, body: object, context: SchemaContext): Steps<Breaches> {
  return runRules(type, type === Account ? withAllFields(body as Account) : body, context);
}

/**
 * A copy of the account with every field, absent ones as undefined. Payloads leave out fields in hundreds of
 * combinations, and rules that read objects of hundreds of hidden classes take V8 twice as long.
 */
function withAllFields(account: Account): Account {
  return Object.assign(new Account(), account);
}

const NO_BREACHES: Breaches = { count: 0, listed: [] };

function* runRules(type: ObjectType, body: object, context: SchemaContext): Steps<Breaches> {
  if (!BODIES_WITH_RULES.has(type)) return NO_BREACHES;
  const facts = new Facts(context, type === Account ? (body as Account) : undefined);
  return yield* ruleSets[context.profile].findBreaches(type, body, facts, context.limits.errors);
}

/**
 * Like `checkRules`, for a body in which the field checks found `errors`: returns the breaches of all rules that do
 * not depend on an invalid value. `read` is the compiled reader of the body's class.
 */
export function* checkRulesDespiteErrors(
  errors: readonly FieldError[],
  type: ObjectType,
  body: unknown,
  read: ObjectReader,
  context: SchemaContext,
): Steps<Breaches> {
  if (!BODIES_WITH_RULES.has(type) || !isObject(body)) return NO_BREACHES;
  const value = yield* readDespiteErrors(type, body, errors, read, context);
  return value ? yield* runRules(type, value, context) : NO_BREACHES;
}
