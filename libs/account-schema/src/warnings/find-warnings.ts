import { Account } from '../contract/account';
import { complete } from '../compiler/steps';
import type { Steps } from '../compiler/steps';
import type { FieldError, SchemaContext } from '../context';
import { Facts } from '../rules/engine/facts';
import { sortByPayloadOrder } from '../rules/engine/payload-order';
import { RuleSet } from '../rules/engine/rule-set';
import { WARNINGS } from './list';
import { describeWarning, type Warning } from './warning';

/** Warnings that are listed for one account. */
export const MAX_WARNINGS = 50;

// Every profile has all warnings.
const WARNING_SET = new RuleSet(WARNINGS, 'gb-energy');

const byCode: ReadonlyMap<string, Warning> = new Map(WARNINGS.map((one) => [one.code, one]));

/**
 * Finds what is implausible in a valid account, without stored data, in steps. Returns at most {@link MAX_WARNINGS}
 * warnings, in the order of the account. None refuses the account.
 */
export function* findWarningsInSteps(account: Account, context: SchemaContext): Steps<FieldError[]> {
  const facts = new Facts(context, account);
  const { count, listed } = yield* WARNING_SET.findBreaches(Account, account, facts, MAX_WARNINGS);
  if (count === 0) return [];
  return sortByPayloadOrder(listed.map(withMend), account);
}

/** As {@link findWarningsInSteps}, at once. */
export function findWarnings(account: Account, context: SchemaContext): FieldError[] {
  return complete(findWarningsInSteps(account, context));
}

function withMend({ code, attr, detail }: FieldError): FieldError {
  return { detail: describeWarning(detail, byCode.get(code) as Warning), code, attr };
}
