import type { AccountCampaign, Consent } from '../contract/account-details';
import type { ProductCharacteristic } from '../contract/agreements';
import type { BusinessDetail } from '../contract/business';
import type { Instalment } from '../contract/payments';
import { listRule } from './engine/list-rule';
import { type Check, customRule, each, rule, type Rule, valueRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { findRepeats, keyOf } from './terms/find-repeats';

/** Rules about the team, campaigns, references, metadata and consents of an account. */
export const ACCOUNT_DETAIL_RULES: readonly Rule[] = [
  valueRule({
    code: 'metadata_has_duplicate_keys',
    at: { account: ['metadata'], customer: ['metadata'] },
    reason: 'Metadata is stored by key, so a repeated key would overwrite a value.',
    breach: (metadata) => {
      const [repeat] = findRepeats(metadata, ({ key }) => key);
      const key = metadata[repeat?.index ?? 0]?.key ?? '';
      return repeat && `Members ${repeat.first} and ${repeat.index} have the key ${quote(key)}.`;
    },
  }),
  listRule({
    code: 'invalid_reference_namespace',
    lists: { account_reference_namespaces: (name) => `${name} is not a configured reference namespace.` },
    reason: 'Accounts are looked up by references in configured namespaces only.',
  }),
  rule({
    code: 'operations_team_provided_when_using_auto_allocation',
    on: 'account',
    field: 'operations_team_name',
    needs: ['supplier: auto_allocate_operations_team'],
    reason: 'The platform allocates the team and would ignore the one in the payload.',
    breach: (account, { supplier }) =>
      supplier.auto_allocate_operations_team === true &&
      isGiven(account.operations_team_name) &&
      'Teams are allocated automatically for this supplier: leave the team out.',
  }),
  rule({
    code: 'operations_team_should_be_provided',
    on: 'account',
    field: 'operations_team_name',
    completeness: true,
    needs: ['supplier: auto_allocate_operations_team'],
    reason: 'Without automatic allocation, the payload must name the team that looks after the account.',
    breach: (account, { supplier }) =>
      supplier.auto_allocate_operations_team === false &&
      !isGiven(account.operations_team_name) &&
      'Say which team will look after the account.',
  }),
  listRule({
    code: 'operations_team_name_does_not_exist',
    lists: { operations_teams: (name) => `There is no operations team called ${name}.` },
    reason: 'The account can only be given to a team that the operator has configured.',
  }),
  rule({
    code: 'inconsistent_campaign_identifiers',
    on: 'account',
    field: 'account_campaigns.<i>',
    reason: 'Duplicate campaigns can only be detected if all entries use the same identifier.',
    breach: ({ account_campaigns: campaigns }) => {
      if (!campaigns || campaigns.length < 2) return undefined;
      const isNamed = (one?: AccountCampaign) => isGiven(one?.campaign_name);
      const identified = campaigns.filter((one) => isNamed(one) || isGiven(one.slug));
      const other = identified.find((one) => isNamed(one) !== isNamed(identified[0]));
      return each(
        campaigns,
        (one) => one === other && 'Identify all campaigns by slug, or all by campaign_name.',
      );
    },
  }),
  rule({
    code: 'duplicate_account_campaigns',
    on: 'account',
    field: 'account_campaigns.<i>',
    reason: 'An account can be in a campaign only once.',
    breach: ({ account_campaigns: campaigns }) => {
      const repeats = [
        ...findRepeats(campaigns, ({ slug }) => (isGiven(slug) ? slug : undefined)),
        ...findRepeats(campaigns, ({ campaign_name: name }) => (isGiven(name) ? name : undefined)),
      ];
      const firstOf = new Map(repeats.map(({ index, first }) => [index, first] as const));
      return each(campaigns, (_, i) => {
        const first = firstOf.get(i);
        return first !== undefined && `Repeats account_campaigns.${first}, which is the same campaign.`;
      });
    },
  }),
  rule({
    code: 'campaign_name_and_slug_provided',
    on: 'accountCampaign',
    field: 'slug',
    reason: 'The slug and the name could identify different campaigns.',
    breach: ({ slug, campaign_name: name }) =>
      isGiven(slug) && isGiven(name) && 'Send slug or campaign_name, not both.',
  }),
  rule({
    code: 'campaign_name_or_slug_not_provided',
    on: 'accountCampaign',
    field: 'slug',
    reason: 'An entry must identify its campaign.',
    breach: ({ slug, campaign_name: name }) =>
      !isGiven(slug) && !isGiven(name) && 'Identify the campaign by its slug.',
  }),
  listRule({
    code: 'campaign_not_found',
    lists: {
      campaign_slugs: (slug) => `There is no campaign ${slug}.`,
      campaign_names: (name) => `There is no campaign called ${name}.`,
    },
    reason: 'The account can only be added to a campaign that the operator has configured.',
  }),
  listRule({
    code: 'partner_organisation_does_not_exist',
    lists: { partner_organisations: (number) => `There is no partner organisation ${number}.` },
    reason: 'The account can only be linked to a registered partner organisation.',
  }),
  valueRule({
    code: 'field_not_enabled',
    at: { account: ['consents'], customer: ['consents'] },
    needs: ['instance: consents_enabled'],
    reason: 'Consents are stored only if the operator has enabled them.',
    breach: (_consents, { instance }) =>
      !instance.consents_enabled && 'Consents are not enabled: leave them out.',
  }),
  customRule({
    code: 'children_with_duplicate_values',
    at: {
      account: ['consents'],
      customer: ['consents'],
      business: ['details'],
      agreement: ['characteristics'],
      paymentSchedule: ['instalments'],
    },
    reason: 'Each entry of these lists must have its own key; a duplicate would overwrite the first.',
    checks: {
      account: areDistinct('consents', 'type', ({ type }: Consent) => type),
      customer: areDistinct('consents', 'type', ({ type }: Consent) => type),
      business: areDistinct('details', 'key', ({ key }: BusinessDetail) => key),
      agreement: areDistinct('characteristics', 'code', ({ code }: ProductCharacteristic) => code),
      paymentSchedule: areDistinct('instalments', 'day and type', (one: Instalment) =>
        keyOf(one.payment_date, one.payment_type ?? ''),
      ),
    },
  }),
  rule({
    code: 'date_in_future',
    on: 'consent',
    field: 'signed_at',
    needs: ['clock'],
    reason: 'A consent must have been answered before the import.',
    breach: ({ signed_at: signedAt }, { now }) =>
      isGiven(signedAt) && signedAt > now && `${signedAt} is in the future.`,
  }),
];

/** Reports the first members of a list that have the same key, at the list. */
function areDistinct<List extends string, Item>(
  list: List,
  identity: string,
  keyOfItem: (item: Item) => string,
): Check<{ readonly [Key in List]?: readonly Item[] | null }> {
  return (subject, _facts, report) => {
    const [repeat] = findRepeats(subject[list], keyOfItem);
    if (repeat) report(list, `Members ${repeat.first} and ${repeat.index} have the same ${identity}.`);
  };
}
