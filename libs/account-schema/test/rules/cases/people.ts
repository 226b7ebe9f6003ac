import { onBusinessAccount, onDomesticAccount, onMinimalAccount, type RuleCase } from '../rule-case';
import { CONSENT } from './parts';

const NAMED_OCCUPIER = 'customers.0.family_name customer_may_not_be_named_the_occupier';
const NAMESPACE = { namespace: 'external_user_id', type: 'string' } as const;
const CHECKED = { user_detail_namespaces: [{ ...NAMESPACE, check: 'U-[0-9]+' }] };

function detail(value: unknown): { user_details: object[] } {
  return { user_details: [{ namespace: 'external_user_id', value }] };
}

/** Cases of customers, business users, registered facts, priority services and the operator's lists. */
export const PEOPLE_CASES: readonly RuleCase[] = [
  onDomesticAccount.value('customer_family_name_required', 'customers.1.family_name', ' ', 'A'),
  onBusinessAccount(
    'customer_given_name_required',
    'customers.0.given_name',
    { 'customers.0.given_name': '' },
    {},
    { supplier: { send_registration_flows: true } },
  ),
  onMinimalAccount(
    'customer_may_not_be_named_the_occupier',
    'customers.0.family_name',
    { customers: [{ given_name: ' the', family_name: 'OCCUPIER' }] },
    { customers: [{ given_name: 'Theo', family_name: 'Occupier' }] },
  ),
  onMinimalAccount(
    'contact_details_for_occupier',
    'customers.0.mobile',
    { customers: [{ family_name: 'The Occupier', mobile: '07400123456' }] },
    { customers: [{ family_name: 'The Occupier', mobile: '' }] },
    { otherBreaches: [NAMED_OCCUPIER], otherBreachesWhenHolding: [NAMED_OCCUPIER] },
  ),
  ...onMinimalAccount.rows({}, [
    ['possible_test_email_address', 'customers.0.email', 'Test@example.org', 'tester@example.org'],
    ['invalid_phone_number', 'customers.0.landline', '0121234567', '01212345678'],
  ]),
  onMinimalAccount.value('internal_email_address', 'billing_email', 'Desk@example.com', 'desk@example.org'),
  onMinimalAccount(
    'fields_are_mutually_exclusive',
    'customers.0.consents',
    { customers: [{ consents: [CONSENT], customer_preferences: {} }] },
    { customers: [{ consents: [], customer_preferences: {} }] },
  ),
  onDomesticAccount(
    'required_user_role',
    'customers.1.portfolio_roles',
    { 'customers.1.portfolio_roles': [], 'customers.1.account_roles': [] },
    { 'customers.1.portfolio_roles': [] },
    { instance: { default_customer_role: undefined } },
  ),
  onMinimalAccount(
    'customer_details_and_user_details_both_provided',
    'customers.0.details',
    { customers: [{ ...detail('U-1'), details: { external_user_id: 'U-1' } }] },
    { customers: [{ ...detail('U-1'), details: null }] },
  ),
  onBusinessAccount(
    'customer_details_and_user_details_both_provided',
    'business.users.0',
    { 'business.users.0.family_name': 'Marsch', 'business.users.0.email': 'PRIYA.marsh@example.org' },
    { 'business.users.0.family_name': 'Marsch', 'business.users.0.email': 'priya@example.org' },
  ),
  onMinimalAccount(
    'customer_detail_not_registered',
    'customers.0.details',
    { customers: [{ details: { shoe_size: '40' } }] },
    { customers: [{ details: { external_user_id: 'U-1' } }] },
  ),
  onMinimalAccount(
    'customer_detail_incorrect_value_type',
    'customers.0.user_details.0.value',
    { customers: [detail(17)] },
    { customers: [detail('17')] },
  ),
  onMinimalAccount(
    'customer_detail_failed_validation',
    'customers.0.user_details.0.value',
    { customers: [detail('U-')] },
    { customers: [detail('U-1')] },
    { references: CHECKED },
  ),
  onMinimalAccount(
    'required_customer_details_namespace_missing',
    'customers.0.user_details',
    { customers: [{ user_details: [] }] },
    { customers: [detail('U-1')] },
    { references: { user_detail_namespaces: [{ ...NAMESPACE, required: true }] } },
  ),
  onMinimalAccount(
    'repeated_values_for_unique_customer_detail_namespace',
    'customers.1.user_details.0.value',
    { customers: [detail('U-1'), detail('U-1')] },
    { customers: [detail('U-1'), detail('U-2')] },
  ),
  onMinimalAccount(
    'business_detail_incorrect_value_type',
    'business.details.0.value',
    { business: { details: [{ key: 'vat_number', value: 0 }] } },
    { business: { details: [{ key: 'vat_number', value: '0' }] } },
  ),
  onMinimalAccount(
    'business_detail_failed_validation',
    'business.details.0.value',
    { business: { details: [{ key: 'vat_number', value: 'GB' }] } },
    { business: { details: [{ key: 'vat_number', value: 'GB1' }] } },
    { references: { business_detail_keys: [{ key: 'vat_number', type: 'string', check: 'GB[0-9]+' }] } },
  ),
  onMinimalAccount(
    'invalid_choice',
    'consents.0.type',
    { consents: [{ ...CONSENT, type: 'LETTERS' }] },
    { consents: [{ ...CONSENT, type: 'SMS' }] },
  ),
  onMinimalAccount(
    'invalid_choice',
    'customers.0.portfolio_roles.1',
    { customers: [{ portfolio_roles: ['ADMIN', 'CARETAKER'] }] },
    { customers: [{ portfolio_roles: ['ADMIN', 'FRIEND_FAMILY_MEMBER'] }] },
  ),
  onDomesticAccount(
    'psr_industry_code_not_provided',
    'customers.0.psr.0.elec_industry_code',
    { 'customers.0.psr.0': { elec_industry_code: '', description: 'No sight' } },
    { 'customers.0.psr.0': { elec_industry_code: '', gas_industry_code: '08' } },
  ),
  onDomesticAccount.value('psr_invalid_industry_code', 'customers.0.psr.0.elec_industry_code', '008', '8'),
  ...onDomesticAccount.rows({}, [
    ['electricity_psr_record_not_found', 'customers.0.psr.0.elec_industry_code', '09', '08'],
    ['psr_record_description_not_found', 'customers.0.psr.0.description', 'Poor sight', 'No sight'],
    ['temporary_psr_does_not_have_end_date', 'customers.0.psr.1.effective_to', null, '2024-02-02T00:00:00Z'],
    ['incorrect_format_for_tax_year', 'warm_home_discount.0.tax_year', '2023/25', '1999/00'],
  ]),
  onDomesticAccount.value('gas_psr_record_not_found', 'customers.0.psr.0.gas_industry_code', '33', '08'),
  onMinimalAccount.value(
    'possible_test_email_address',
    'customers.0.email',
    'a@Test.com',
    'test.com@example.org',
  ),
  onMinimalAccount(
    'repeated_values_for_unique_customer_detail_namespace',
    'customers.1.details',
    { customers: [{ details: { external_user_id: 'U-1' } }, { details: { external_user_id: 'U-1' } }] },
    { customers: [{ details: { external_user_id: 'U-1' } }, { details: { external_user_id: 'U-2' } }] },
  ),
  onMinimalAccount(
    'customer_detail_failed_validation',
    'customers.0.user_details.0.value',
    { customers: [detail(`U-${'1'.repeat(999)}`)] },
    { customers: [detail(`U-${'1'.repeat(998)}`)] },
    { references: CHECKED },
  ),
  onMinimalAccount(
    'customer_detail_failed_validation',
    'customers.0.user_details.0.value',
    { customers: [detail('xU-1')] },
    { customers: [detail('U-1')] },
    { references: CHECKED },
  ),
  ...(['array', 'object'] as const).map((type) =>
    onMinimalAccount(
      'customer_detail_incorrect_value_type',
      'customers.0.user_details.0.value',
      { customers: [detail(type === 'array' ? { a: 1 } : [1])] },
      { customers: [detail(type === 'array' ? [1] : { a: 1 })] },
      { references: { user_detail_namespaces: [{ ...NAMESPACE, type }] } },
    ),
  ),
  onDomesticAccount(
    'temporary_psr_does_not_have_end_date',
    'customers.0.psr.1.effective_to',
    {
      'customers.0.psr.1': { description: 'Temporary: recovering after hospital', gas_industry_code: '08' },
    },
    { 'customers.0.psr.1': { description: 'No sight', gas_industry_code: '08' } },
  ),
];
