import { Account } from '../contract/account';
import type { Steps } from '../compiler/steps';
import type { SchemaContext, ValidationProfile } from '../context';
import type { ObjectType } from '../vocabulary/shape';
import { Facts } from './engine/facts';
import { type Breaches, RuleSet } from './engine/rule-set';
import { BODIES_WITH_RULES } from './engine/scope';
import { RULES } from './list';

const ruleSets: Record<ValidationProfile, RuleSet> = {
  core: new RuleSet(RULES, 'core'),
  'gb-energy': new RuleSet(RULES, 'gb-energy'),
};

const NO_BREACHES: Breaches = { count: 0, listed: [] };

/**
 * Returns the breaches of rules in a body, in no particular order: in one with field errors those of all rules that do not
 * depend on an invalid value. Excludes the rules that need the database; see `checkDatabaseRules`.
 */
export function* checkRules(type: ObjectType, body: object, context: SchemaContext): Steps<Breaches> {
  if (!BODIES_WITH_RULES.has(type)) return NO_BREACHES;
  const facts = new Facts(context, type === Account ? (body as Account) : undefined);
  return yield* ruleSets[context.profile].findBreaches(type, body, facts, context.limits.errors);
}

/**
 * A copy of an account without errors with every field, absent ones as undefined. Payloads leave out fields in hundreds
 * of combinations, and rules that read objects of hundreds of hidden classes take V8 twice as long.
 */
export function withAllFields(account: Account): Account {
  return Object.assign(new Account(), account);
}
