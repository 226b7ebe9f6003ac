import {
  type Edits,
  onBusinessAccount,
  onCompleteAccount,
  onDomesticAccount,
  onMinimalAccount,
  type RuleCase,
} from '../rule-case';
import { ADDRESS, CONSENT, E, G, OTHER_ADDRESS, PORTFOLIO_REFERENCE } from './parts';

const LANDLINE = { landline: '01212345678' };
const FIRST_WAVE = { slug: 'first-wave' };
const CAMPAIGNS = {
  campaigns: [
    { name: 'First wave', slug: 'first-wave' },
    { name: 'Second wave', slug: 'second-wave' },
  ],
};
const PARTNER = {
  organisation_number: 'PO-1',
  role: 'HOUSING',
  valid_from: '2024-01-01T00:00:00Z',
  valid_to: '2024-01-01T00:00:00Z',
};
const PARTNERS = { partner_organisations: ['PO-1'], partner_roles: ['HOUSING'] };
const UNDER_CONTRACT = { enforce_business_contracts_exist: true };
const LINKED = { ...UNDER_CONTRACT, link_account_to_business_with_contract: true };
const BILLING_ADDRESS = { country: 'GB', street_address: '4 Weir Cottages', postal_code: 'NN99 9ZZ' };

/** Cases of account types and details, portfolios, businesses, billing addresses and billing options. */
export const ACCOUNT_CASES: readonly RuleCase[] = [
  onMinimalAccount(
    'multiple_account_types_selected',
    'account_type',
    { account_type: 'BUSINESS', is_portfolio_lead: true },
    { account_type: 'PORTFOLIO_LEAD', is_portfolio_lead: true },
  ),
  onMinimalAccount(
    'managed_accounts_are_not_allowed',
    'account_type',
    { is_managed: true },
    { is_managed: false },
  ),
  onMinimalAccount(
    'business_fields_provided_for_domestic_accounts',
    'business_type',
    { business_type: 'LTD' },
    { business_type: 'LTD', account_type: 'BUSINESS' },
  ),
  onMinimalAccount(
    'business_fields_provided_for_domestic_accounts',
    'business.company_number',
    { business: { company_number: '01234567' } },
    { business: { company_name: 'Loaves' } },
  ),
  onBusinessAccount('business_account_missing_customers', 'customers', { customers: [] }, {}),
  onMinimalAccount(
    'portfolio_lead_has_a_supply_address',
    'supply_addresses',
    { account_type: 'PORTFOLIO_LEAD', supply_addresses: [ADDRESS] },
    { account_type: 'PORTFOLIO_LEAD', supply_addresses: [] },
  ),
  onMinimalAccount(
    'system_account_has_a_supply_address',
    'supply_addresses',
    { account_type: 'SYSTEM', supply_addresses: [ADDRESS] },
    { account_type: 'SYSTEM', supply_addresses: [] },
  ),
  onMinimalAccount(
    'customer_with_unknown_occupier',
    'customers',
    { unknown_occupier: true, customers: [LANDLINE] },
    { unknown_occupier: true, customers: [] },
  ),
  onMinimalAccount(
    'occupier_account_with_multiple_supply_addresses',
    'supply_addresses',
    { account_type: 'BUSINESS_OCCUPIER', supply_addresses: [ADDRESS, OTHER_ADDRESS] },
    { account_type: 'BUSINESS_OCCUPIER', supply_addresses: [ADDRESS] },
  ),
  onMinimalAccount(
    'dd_reference_for_occupier_account',
    'dd_reference',
    { unknown_occupier: true, dd_reference: 'DDM-1' },
    { unknown_occupier: false, dd_reference: 'DDM-1' },
  ),
  onMinimalAccount.value(
    'metadata_has_duplicate_keys',
    'customers.0.metadata',
    ['k', 'k'].map((key) => ({ key, value: 1 })),
    ['k', 'K'].map((key) => ({ key, value: 1 })),
  ),
  onMinimalAccount(
    'invalid_reference_namespace',
    'references.0.namespace',
    { references: [{ namespace: 'new-web-portal-id', value: 'W-1' }] },
    { references: [{ namespace: 'old-web-portal-id', value: 'W-1' }] },
  ),
  onMinimalAccount.value(
    'operations_team_provided_when_using_auto_allocation',
    'operations_team_name',
    'North desk',
    ' ',
    { supplier: { auto_allocate_operations_team: true } },
  ),
  ...onDomesticAccount.rows({}, [
    ['operations_team_should_be_provided', 'operations_team_name', '', 'North desk'],
    ['missing_statement_path_or_pdf_context', 'statements.0.statement_path', ' ', 'A-100231/2024-05.pdf'],
  ]),
  ...onMinimalAccount.rows({}, [
    ['operations_team_name_does_not_exist', 'operations_team_name', 'South desk', 'North desk'],
    ['campaign_not_found', 'account_campaigns.0.slug', 'third-wave', 'first-wave'],
    ['invalid_delivery_point_identifier', 'billing_delivery_point_identifier', 'NN999ZZ-1A', 'NN999ZZ1A'],
    ['billing_email_not_valid', 'billing_email', 'blackhole+1@example.org', 'blackhole@example.org'],
  ]),
  onMinimalAccount(
    'inconsistent_campaign_identifiers',
    'account_campaigns.1',
    { account_campaigns: [FIRST_WAVE, { campaign_name: 'Second wave' }] },
    { account_campaigns: [FIRST_WAVE, { slug: 'second-wave' }] },
    { references: CAMPAIGNS },
  ),
  onMinimalAccount(
    'duplicate_account_campaigns',
    'account_campaigns.1',
    { account_campaigns: [FIRST_WAVE, FIRST_WAVE] },
    { account_campaigns: [FIRST_WAVE, { slug: 'second-wave' }] },
    { references: CAMPAIGNS },
  ),
  onMinimalAccount(
    'campaign_name_and_slug_provided',
    'account_campaigns.0.slug',
    { account_campaigns: [{ ...FIRST_WAVE, campaign_name: 'First wave' }] },
    { account_campaigns: [{ ...FIRST_WAVE, campaign_name: '' }] },
  ),
  onMinimalAccount(
    'campaign_name_or_slug_not_provided',
    'account_campaigns.0.slug',
    { account_campaigns: [{ slug: '', campaign_name: null }] },
    { account_campaigns: [{ slug: '', campaign_name: 'First wave' }] },
  ),
  onMinimalAccount(
    'partner_organisation_does_not_exist',
    'partner_organisations.0.organisation_number',
    { partner_organisations: [{ ...PARTNER, organisation_number: 'PO-2' }] },
    { partner_organisations: [PARTNER] },
    { references: PARTNERS },
  ),
  onMinimalAccount.value('field_not_enabled', 'consents', [CONSENT], [], {
    instance: { consents_enabled: false },
  }),
  onMinimalAccount.value(
    'children_with_duplicate_values',
    'consents',
    [CONSENT, { ...CONSENT, value: 'REJECTED' }],
    [CONSENT, { ...CONSENT, type: 'SMS' }],
  ),
  onMinimalAccount(
    'date_in_future',
    'consents.0.signed_at',
    { consents: [{ ...CONSENT, signed_at: '2026-01-15T12:00:01Z' }] },
    { consents: [{ ...CONSENT, signed_at: '2026-01-15T12:00:00Z' }] },
  ),
  onMinimalAccount(
    'portfolio_settings_included_when_not_lead',
    'portfolio.portfolio_settings',
    { portfolio: { portfolio_references: [PORTFOLIO_REFERENCE], portfolio_settings: {} } },
    { portfolio: { portfolio_references: [PORTFOLIO_REFERENCE], portfolio_settings: null } },
  ),
  onMinimalAccount(
    'portfolio_references_missing',
    'portfolio.portfolio_references',
    { is_portfolio_lead: true, portfolio: { portfolio_references: [], portfolio_settings: {} } },
    {
      is_portfolio_lead: true,
      portfolio: { portfolio_references: [PORTFOLIO_REFERENCE], portfolio_settings: {} },
    },
  ),
  onMinimalAccount(
    'portfolio_references_provided',
    'portfolio.portfolio_references',
    { portfolio: { portfolio_references: [PORTFOLIO_REFERENCE] } },
    { portfolio: { portfolio_references: [] } },
    { supplier: { create_new_portfolios: true } },
  ),
  onMinimalAccount(
    'duplicate_portfolio_references',
    'portfolio.portfolio_references.1.namespace',
    { portfolio: { portfolio_references: [PORTFOLIO_REFERENCE, PORTFOLIO_REFERENCE] } },
    { portfolio: { portfolio_references: [PORTFOLIO_REFERENCE] } },
  ),
  onMinimalAccount(
    'invalid_company_number',
    'company_number',
    { account_type: 'BUSINESS', company_number: '123456789' },
    { account_type: 'BUSINESS', company_number: '1234567' },
  ),
  onMinimalAccount(
    'business_field_required',
    'business',
    {},
    { business: { business_contract_identifier: 'C-1' } },
    { supplier: LINKED },
  ),
  onMinimalAccount(
    'missing_contract_identifier',
    'business.business_contract_identifiers',
    { business: { business_contract_identifiers: [] } },
    { business: { business_contract_identifiers: ['C-1'] } },
    { supplier: LINKED },
  ),
  onMinimalAccount.value(
    'business_information_required_if_not_linking_via_contract',
    'business',
    { business_contract_identifiers: ['C-1'] },
    { business_contract_identifiers: ['C-1'], company_name: 'Loaves' },
    { supplier: UNDER_CONTRACT },
  ),
  onMinimalAccount.value(
    'business_information_not_required_if_linking_via_contract',
    'business',
    { business_contract_identifiers: ['C-1'], company_name: 'Loaves' },
    { business_contract_identifiers: ['C-1'], company_name: ' ' },
    { supplier: LINKED },
  ),
  onDomesticAccount(
    'agreement_business_contract_identifier_not_declared',
    `${E}.agreements.1.business_contract_identifier`,
    {
      [`${E}.agreements.1.business_contract_identifier`]: 'C-2',
      'business.business_contract_identifiers': ['C-1'],
    },
    {
      [`${E}.agreements.1.business_contract_identifier`]: 'C-2',
      'business.business_contract_identifier': 'C-2',
    },
  ),
  onMinimalAccount(
    'billing_address_new_style_and_legacy',
    'billing_address',
    { billing_address: BILLING_ADDRESS, billing_address1: '4 Weir Cottages' },
    { billing_address: BILLING_ADDRESS, billing_address1: ' ' },
  ),
  onCompleteAccount('billing_address_not_provided', 'billing_postcode', { billing_postcode: '' }, {}),
  onMinimalAccount(
    'invalid_address',
    'billing_address1',
    { billing_address2: 'Mill Lane' },
    { billing_address1: '4 Weir Cottages', billing_address2: 'Mill Lane' },
  ),
  onMinimalAccount(
    'invalid_address',
    'billing_address.street_address',
    { billing_address: { ...BILLING_ADDRESS, structured_street_address: { thoroughfare: 'Mill Lane' } } },
    {
      billing_address: { country: 'GB', structured_street_address: { thoroughfare: 'Mill Lane' } },
    },
  ),
  onMinimalAccount(
    'invalid_address',
    'billing_address.country',
    { billing_address: { ...BILLING_ADDRESS, country: 'UK' } },
    { billing_address: { ...BILLING_ADDRESS, country: 'IE', postal_code: 'D02 X285' } },
  ),
  onMinimalAccount(
    'invalid_postcode',
    'billing_address.postal_code',
    { billing_address: { ...BILLING_ADDRESS, postal_code: 'NN99 9Z' } },
    { billing_address: { ...BILLING_ADDRESS, postal_code: 'nn999zz' } },
  ),
  onDomesticAccount(
    'account_billing_options_provided_for_domestic_accounts',
    'account_billing_options',
    { account_billing_options: { use_industry_billing: true } },
    {},
  ),
  onBusinessAccount(
    'business_account_missing_billing_options',
    'account_billing_options',
    { 'account_billing_options.period_start_day': null },
    {},
    { otherBreaches: ['account_billing_options.period_length account_billing_options_period_data_required'] },
  ),
  onMinimalAccount(
    'account_billing_options_period_data_required',
    'account_billing_options.period_length',
    { account_billing_options: { period_length: 'MONTHLY' } },
    { account_billing_options: { period_length: 'MONTHLY', period_start_day: 1 } },
  ),
  onMinimalAccount(
    'account_billing_options_industry_billing_with_period_data',
    'account_billing_options.period_length',
    { account_billing_options: { use_industry_billing: true, period_start_month: 1 } },
    { account_billing_options: { use_industry_billing: true, period_length: null } },
  ),
  onBusinessAccount(
    'next_bill_to_date_not_provided_for_quarterly_billing',
    'next_bill_due_date',
    { next_bill_due_date: null },
    { next_bill_due_date: null, 'account_billing_options.period_length': 'MONTHLY' },
  ),
  onDomesticAccount.value('invalid_day_of_month', 'smart_read_cycle_day', 29, 28),
  onDomesticAccount.value('invalid_day_of_month', 'smart_read_cycle_day', 0, 1),
  onMinimalAccount(
    'note_body_or_document_path_not_found',
    'notes.0.body',
    { notes: [{ document_paths: [] }] },
    {
      notes: [{ document_paths: [{ document_path: 'a.pdf' }] }],
    },
  ),
  onMinimalAccount(
    'note_unpin_at_earlier_than_creation_date',
    'notes.0.unpin_at',
    { notes: [{ body: 'x', created_at: '2024-01-02T00:00:00Z', unpin_at: '2024-01-01T23:59:59Z' }] },
    { notes: [{ body: 'x', created_at: '2024-01-02T00:00:00Z', unpin_at: '2024-01-02T00:00:00Z' }] },
  ),
  onMinimalAccount(
    'business_fields_provided_for_domestic_accounts',
    'company_number',
    { company_number: '01234567' },
    { company_number: '01234567', account_type: 'BUSINESS' },
  ),
  onMinimalAccount(
    'business_fields_provided_for_domestic_accounts',
    'business.business_type',
    { business: { business_type: 'LTD' } },
    { business: { business_type: 'LTD' }, account_type: 'BUSINESS' },
  ),
  onDomesticAccount(
    'business_fields_provided_for_domestic_accounts',
    `${G}.agreements.0.bespoke_tariff_rates`,
    {
      [`${G}.agreements.0.bespoke_tariff_rates`]: [
        { meter_serial_number: 'E6S0099187', standing_charge: '61.50', unit_rate: '27.10' },
      ],
    },
    { [`${G}.agreements.0.bespoke_tariff_rates`]: [] },
  ),
  onMinimalAccount(
    'duplicate_account_campaigns',
    'account_campaigns.1',
    { account_campaigns: [{ campaign_name: 'First wave' }, { campaign_name: 'First wave' }] },
    { account_campaigns: [{ campaign_name: 'First wave' }] },
  ),
  onMinimalAccount(
    'dd_reference_for_occupier_account',
    'dd_reference',
    { customers: [{ family_name: 'Quill' }, { family_name: 'The Occupier' }], dd_reference: 'DDM-1' },
    { customers: [{ family_name: 'Quill' }], dd_reference: 'DDM-1' },
    { otherBreaches: ['customers.1.family_name customer_may_not_be_named_the_occupier'] },
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'partner_organisations.0.valid_to',
    { partner_organisations: [{ ...PARTNER, valid_to: '2023-12-31T23:59:59Z' }] },
    { partner_organisations: [PARTNER] },
    { references: PARTNERS },
  ),
  onMinimalAccount(
    'start_date_later_than_end_date',
    'statements.0.bill_period_to_date',
    statementEnding('2023-12-31'),
    statementEnding('2024-01-01'),
  ),
];

function statementEnding(bill_period_to_date: string): Edits {
  return { statements: [{ statement_id: 'S-1', bill_period_from_date: '2024-01-01', bill_period_to_date }] };
}
