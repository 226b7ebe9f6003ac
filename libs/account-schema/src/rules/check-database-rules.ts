import type { Account } from '../contract/account';
import type { FieldError, SchemaContext } from '../context';
import { Facts } from './engine/facts';
import { sortByPayloadOrder } from './engine/payload-order';
import type { LookupRule } from './engine/kinds';
import { RULES } from './list';
import type { AccountLookups } from './operator/lookups';

const LOOKUP_RULES = RULES.filter((one): one is LookupRule => one.checkedBy === 'lookup');

/**
 * Returns the breaches of the rules that need stored data, in the order of the account, which must be validated
 * already. All rules run concurrently, so the lookups decide about locks and connections. Errors of the lookups are
 * rethrown.
 */
export async function checkDatabaseRules(
  account: Account,
  context: SchemaContext,
  lookups: AccountLookups,
): Promise<FieldError[]> {
  const facts = new Facts(context, account);
  const found = await Promise.all(
    LOOKUP_RULES.filter(
      ({ tier, completeness }) => facts.isBritishMarket || (tier !== 'gbr' && !completeness),
    ).map(async ({ code, lookup }) => {
      const breaches: FieldError[] = [];
      await lookup(facts, lookups, (attr, detail) => {
        breaches.push({ detail, code, attr });
      });
      return breaches;
    }),
  );
  return sortByPayloadOrder(found.flat(), account);
}
