import { type MetadataItem } from '../account/metadata-item';
import { type Report, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';
import { keyOf, repeats } from './terms/repeats';

/** Team, labels, references and free facts of an account. */
export const ACCOUNT_DETAIL_RULES: readonly Rule[] = [
  rule({
    code: 'metadata_has_duplicate_keys',
    path: 'metadata | customers.<i>.metadata',
    why: 'Of two facts of one name, one would be lost.',
    checks: {
      account({ metadata }, _facts, report) {
        reportRepeatedKeys(metadata, report);
      },
      customer({ metadata }, _facts, report) {
        reportRepeatedKeys(metadata, report);
      },
    },
  }),
  rule({
    code: 'invalid_reference_namespace',
    path: 'references.<i>.namespace',
    needs: ['reference data: account_reference_namespaces'],
    why: 'A reference is only found again under a namespace that the operator knows.',
    checks: {
      accountReference({ namespace }, { references }, report) {
        if (references.has('account_reference_namespaces', namespace) === false)
          report('namespace', `${quote(namespace)} is not a configured namespace of references.`);
      },
    },
  }),
  rule({
    code: 'operations_team_provided_when_using_auto_allocation',
    path: 'operations_team_name',
    needs: ['supplier: auto_allocate_operations_team'],
    why: 'The platform allocates the team, and would overrule the payload without a word.',
    checks: {
      account(account, { supplier }, report) {
        if (supplier.auto_allocate_operations_team === true && given(account.operations_team_name))
          report(
            'operations_team_name',
            'Teams are allocated automatically for this supplier: leave the team out.',
          );
      },
    },
  }),
  rule({
    code: 'operations_team_should_be_provided',
    path: 'operations_team_name',
    completeness: true,
    needs: ['supplier: auto_allocate_operations_team'],
    why: 'Nobody would look after the account.',
    checks: {
      account(account, { supplier }, report) {
        if (supplier.auto_allocate_operations_team === false && !given(account.operations_team_name))
          report('operations_team_name', 'Say which team will look after the account.');
      },
    },
  }),
  rule({
    code: 'operations_team_name_does_not_exist',
    path: 'operations_team_name',
    needs: ['reference data: operations_teams'],
    why: 'A team that does not exist looks after nobody.',
    checks: {
      account({ operations_team_name: team }, { references }, report) {
        if (given(team) && references.has('operations_teams', team) === false)
          report('operations_team_name', `There is no operations team called ${quote(team)}.`);
      },
    },
  }),
  rule({
    code: 'inconsistent_campaign_identifiers',
    path: 'account_campaigns.<i>',
    why: 'Repeats can only be seen when all labels are named in one way.',
    checks: {
      account({ account_campaigns: campaigns = [] }, _facts, report) {
        if (campaigns.length < 2) return;
        const byName = (i: number) => given(campaigns[i]?.campaign_name);
        const named = [...campaigns.keys()].filter((i) => byName(i) || given(campaigns[i]?.slug));
        const other = named.find((i) => byName(i) !== byName(named[0] ?? 0));
        if (other !== undefined)
          report(`account_campaigns.${other}`, 'Name all campaigns by slug or all by campaign_name.');
      },
    },
  }),
  rule({
    code: 'duplicate_account_campaigns',
    path: 'account_campaigns.<i>',
    why: 'An account carries a label once.',
    checks: {
      account({ account_campaigns: campaigns }, _facts, report) {
        if (!campaigns) return;
        const places = new Set([
          ...repeats(campaigns, ({ slug }) => (given(slug) ? slug : undefined)),
          ...repeats(campaigns, ({ campaign_name: name }) => (given(name) ? name : undefined)),
        ]);
        for (const i of places) report(`account_campaigns.${i}`, 'The account has this campaign already.');
      },
    },
  }),
  rule({
    code: 'campaign_name_and_slug_provided',
    path: 'account_campaigns.<i>.slug',
    why: 'Name and slug may name different campaigns.',
    checks: {
      accountCampaign({ slug, campaign_name: name }, _facts, report) {
        if (given(slug) && given(name)) report('slug', 'Send slug or campaign_name, not both.');
      },
    },
  }),
  rule({
    code: 'campaign_name_or_slug_not_provided',
    path: 'account_campaigns.<i>.slug',
    why: 'A label must say which campaign it is.',
    checks: {
      accountCampaign({ slug, campaign_name: name }, _facts, report) {
        if (!given(slug) && !given(name)) report('slug', 'Say which campaign it is, by its slug.');
      },
    },
  }),
  rule({
    code: 'campaign_not_found',
    path: 'account_campaigns.<i>.slug | account_campaigns.<i>.campaign_name',
    needs: ['reference data: campaigns'],
    why: 'A campaign that does not exist has no members.',
    checks: {
      accountCampaign({ slug, campaign_name: name }, { references }, report) {
        if (given(slug) && references.hasCampaign('slug', slug) === false)
          report('slug', `There is no campaign ${quote(slug)}.`);
        if (given(name) && references.hasCampaign('name', name) === false)
          report('campaign_name', `There is no campaign called ${quote(name)}.`);
      },
    },
  }),
  rule({
    code: 'partner_organisation_does_not_exist',
    path: 'partner_organisations.<i>.organisation_number',
    needs: ['reference data: partner_organisations'],
    why: 'A partner that is not registered cannot be tied to an account.',
    checks: {
      partnerOrganisation({ organisation_number: number }, { references }, report) {
        if (references.has('partner_organisations', number) === false)
          report('organisation_number', `There is no partner organisation ${quote(number)}.`);
      },
    },
  }),
  rule({
    code: 'field_not_enabled',
    path: 'consents | customers.<i>.consents',
    needs: ['instance: consents_enabled'],
    why: 'Consents that nobody keeps would look as if they were kept.',
    checks: {
      account({ consents }, { instance }, report) {
        if (!instance.consents_enabled && given(consents)) report('consents', CONSENTS_ARE_OFF);
      },
      customer({ consents }, { instance }, report) {
        if (!instance.consents_enabled && given(consents)) report('consents', CONSENTS_ARE_OFF);
      },
    },
  }),
  rule({
    code: 'children_with_duplicate_values',
    path: 'consents | customers.<i>.consents | business.details | … .agreements.<k>.characteristics | payment_schedules.<i>.instalments',
    why: 'Of two entries that say the same thing in different words, one would be lost.',
    checks: {
      account({ consents }, _facts, report) {
        if (repeats(consents, ({ type }) => type).length > 0) report('consents', ONE_OF_A_TYPE);
      },
      customer({ consents }, _facts, report) {
        if (repeats(consents, ({ type }) => type).length > 0) report('consents', ONE_OF_A_TYPE);
      },
      business({ details }, _facts, report) {
        if (repeats(details, ({ key }) => key).length > 0) report('details', 'Send each key once.');
      },
      agreement({ characteristics }, _facts, report) {
        if (repeats(characteristics, ({ code }) => code).length > 0)
          report('characteristics', 'Send one characteristic of a code.');
      },
      paymentSchedule({ instalments }, _facts, report) {
        const repeated = repeats(instalments, (one) => keyOf(one.payment_date, one.payment_type ?? ''));
        if (repeated.length > 0) report('instalments', 'Send one instalment of a type a day.');
      },
    },
  }),
  rule({
    code: 'date_in_future',
    path: 'consents.<i>.signed_at | customers.<i>.consents.<j>.signed_at',
    needs: ['clock'],
    why: 'Nobody has answered tomorrow.',
    checks: {
      consent({ signed_at: signedAt }, { now }, report) {
        if (given(signedAt) && signedAt > now) report('signed_at', `${signedAt} is in the future.`);
      },
    },
  }),
];

const CONSENTS_ARE_OFF = 'Consents are not kept here: leave them out.';
const ONE_OF_A_TYPE = 'Send one consent of a type.';

function reportRepeatedKeys(metadata: readonly MetadataItem[] | undefined, report: Report): void {
  const [repeat] = repeats(metadata, ({ key }) => key);
  if (repeat !== undefined)
    report('metadata', `Each key stands once; ${quote(metadata?.[repeat]?.key ?? '')} is there again.`);
}
