import type { MetadataItem } from '../contract/account-details';
import { listRule } from './engine/list-rule';
import { type Report, type Rule, customRule, rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { findRepeats, keyOf, type Repeat } from './terms/find-repeats';

/** Rules about the team, campaigns, references, metadata and consents of an account. */
export const ACCOUNT_DETAIL_RULES: readonly Rule[] = [
  customRule({
    code: 'metadata_has_duplicate_keys',
    at: ['metadata', 'customers.<i>.metadata'],
    reason: 'Metadata is stored by key, so a repeated key would overwrite a value.',
    checks: {
      account({ metadata }, _facts, report) {
        reportRepeatedKeys(metadata, report);
      },
      customer({ metadata }, _facts, report) {
        reportRepeatedKeys(metadata, report);
      },
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
  customRule({
    code: 'inconsistent_campaign_identifiers',
    at: ['account_campaigns.<i>'],
    reason: 'Duplicate campaigns can only be detected if all entries use the same identifier.',
    checks: {
      account({ account_campaigns: campaigns = [] }, _facts, report) {
        if (campaigns.length < 2) return;
        const byName = (i: number) => isGiven(campaigns[i]?.campaign_name);
        const named = [...campaigns.keys()].filter((i) => byName(i) || isGiven(campaigns[i]?.slug));
        const other = named.find((i) => byName(i) !== byName(named[0] ?? 0));
        if (other !== undefined)
          report(`account_campaigns.${other}`, 'Identify all campaigns by slug, or all by campaign_name.');
      },
    },
  }),
  customRule({
    code: 'duplicate_account_campaigns',
    at: ['account_campaigns.<i>'],
    reason: 'An account can be in a campaign only once.',
    checks: {
      account({ account_campaigns: campaigns }, _facts, report) {
        if (!campaigns) return;
        const repeats = [
          ...findRepeats(campaigns, ({ slug }) => (isGiven(slug) ? slug : undefined)),
          ...findRepeats(campaigns, ({ campaign_name: name }) => (isGiven(name) ? name : undefined)),
        ];
        for (const [index, first] of new Map(repeats.map((one) => [one.index, one.first] as const)))
          report(
            `account_campaigns.${index}`,
            `Repeats account_campaigns.${first}, which is the same campaign.`,
          );
      },
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
  customRule({
    code: 'field_not_enabled',
    at: ['consents', 'customers.<i>.consents'],
    needs: ['instance: consents_enabled'],
    reason: 'Consents are stored only if the operator has enabled them.',
    checks: {
      account({ consents }, { instance }, report) {
        if (!instance.consents_enabled && isGiven(consents)) report('consents', CONSENTS_NOT_ENABLED);
      },
      customer({ consents }, { instance }, report) {
        if (!instance.consents_enabled && isGiven(consents)) report('consents', CONSENTS_NOT_ENABLED);
      },
    },
  }),
  customRule({
    code: 'children_with_duplicate_values',
    at: [
      'consents',
      'customers.<i>.consents',
      'business.details',
      'supply_addresses.<i>.meter_points.<j>.agreements.<k>.characteristics',
      'payment_schedules.<i>.instalments',
    ],
    reason: 'Each entry of these lists must have its own key; a duplicate would overwrite the first.',
    checks: {
      account({ consents }, _facts, report) {
        reportFirstRepeat(
          'consents',
          findRepeats(consents, ({ type }) => type),
          'type',
          report,
        );
      },
      customer({ consents }, _facts, report) {
        reportFirstRepeat(
          'consents',
          findRepeats(consents, ({ type }) => type),
          'type',
          report,
        );
      },
      business({ details }, _facts, report) {
        reportFirstRepeat(
          'details',
          findRepeats(details, ({ key }) => key),
          'key',
          report,
        );
      },
      agreement({ characteristics }, _facts, report) {
        const repeats = findRepeats(characteristics, ({ code }) => code);
        reportFirstRepeat('characteristics', repeats, 'code', report);
      },
      paymentSchedule({ instalments }, _facts, report) {
        const repeats = findRepeats(instalments, (one) => keyOf(one.payment_date, one.payment_type ?? ''));
        reportFirstRepeat('instalments', repeats, 'day and type', report);
      },
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

const CONSENTS_NOT_ENABLED = 'Consents are not enabled: leave them out.';

/** Reports repeats at their list, once. */
function reportFirstRepeat(
  list: string,
  [repeat]: readonly Repeat[],
  identity: string,
  report: Report,
): void {
  if (repeat) report(list, `Members ${repeat.first} and ${repeat.index} have the same ${identity}.`);
}

function reportRepeatedKeys(metadata: readonly MetadataItem[] | undefined, report: Report): void {
  const [repeat] = findRepeats(metadata, ({ key }) => key);
  if (repeat !== undefined)
    report(
      'metadata',
      `Members ${repeat.first} and ${repeat.index} have the key ${quote(metadata?.[repeat.index]?.key ?? '')}.`,
    );
}
