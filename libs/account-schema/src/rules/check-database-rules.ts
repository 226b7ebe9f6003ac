import { type Account } from '../account/account';
import { type FieldError, type SchemaContext } from '../context';
import { Facts } from './engine/facts';
import { inPayloadOrder } from './engine/payload-order';
import { type LookupRule } from './engine/rule';
import { RULES } from './list';
import { type AccountLookups } from './operator/lookups';

const LOOKUP_RULES = RULES.filter((one): one is LookupRule => one.by === 'lookup');

/**
 * The breaches of those rules that need to know what is stored, in the order of the account, which must have
 * been validated. Rules ask at the same time, which leaves it to the lookups what they hold meanwhile; what these
 * throw is thrown on.
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
        if (breaches.length < context.limits.errors) breaches.push({ detail, code, attr });
      });
      return breaches;
    }),
  );
  return inPayloadOrder(found.flat().slice(0, context.limits.errors), account);
}
