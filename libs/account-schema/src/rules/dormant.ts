/** A rule about fields that the contract does not have. */
export interface DormantRule {
  readonly code: string;
  readonly missing: string;
}

const ACCOUNT_CONTRACTS = 'account_contracts';
const VOUCHERS = 'vouchers';
const PAYMENT_REQUEST_METHOD = 'payment_schedules[].standalone_payment_request_method_code';

/** Rules that are not implemented because their fields are not part of the contract. */
export const DORMANT_RULES: readonly DormantRule[] = [
  { code: 'term_supply_type_mismatch', missing: ACCOUNT_CONTRACTS },
  { code: 'account_contracts_without_supply_points', missing: ACCOUNT_CONTRACTS },
  { code: 'contract_term_product_code_not_in_agreements', missing: ACCOUNT_CONTRACTS },
  { code: 'voucher_transactions_sum_greater_than_voucher_value', missing: VOUCHERS },
  { code: 'voucher_charge_transaction_id_not_found', missing: VOUCHERS },
  { code: 'voucher_redemption_credit_transaction_id_not_found', missing: VOUCHERS },
  { code: 'parent_property_reference_not_found', missing: 'supply_addresses[].parent_property_reference' },
  {
    code: 'business_supply_type_on_domestic_account',
    missing: 'the supply types REGOS_EXPORT_CERTIFICATES and ROCS_EXPORT_CERTIFICATES',
  },
  { code: 'received_statement_path_and_pdf_context', missing: 'statements[].pdf_context' },
  { code: 'standalone_payment_request_method_code_unexpected', missing: PAYMENT_REQUEST_METHOD },
  { code: 'standalone_payment_request_method_code_invalid', missing: PAYMENT_REQUEST_METHOD },
  {
    code: 'both_landlord_details_and_property_administrators_provided',
    missing: "the landlord's details on a supply address",
  },
];
