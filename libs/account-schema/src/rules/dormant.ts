/** A rule of the catalogue that is about fields which the contract does not have. */
export interface DormantRule {
  readonly code: string;
  readonly lacks: string;
}

const ACCOUNT_CONTRACTS = 'account_contracts';
const VOUCHERS = 'vouchers';
const PAYMENT_REQUEST_METHOD = 'payment_schedules[].standalone_payment_request_method_code';

/** Left out until their fields come into the contract; what they would look at is said of each. */
export const DORMANT_RULES: readonly DormantRule[] = [
  { code: 'term_supply_type_mismatch', lacks: ACCOUNT_CONTRACTS },
  { code: 'account_contracts_without_supply_points', lacks: ACCOUNT_CONTRACTS },
  { code: 'contract_term_product_code_not_in_agreements', lacks: ACCOUNT_CONTRACTS },
  { code: 'voucher_transactions_sum_greater_than_voucher_value', lacks: VOUCHERS },
  { code: 'voucher_charge_transaction_id_not_found', lacks: VOUCHERS },
  { code: 'voucher_redemption_credit_transaction_id_not_found', lacks: VOUCHERS },
  { code: 'parent_property_reference_not_found', lacks: 'supply_addresses[].parent_property_reference' },
  {
    code: 'business_supply_type_on_domestic_account',
    lacks: 'the supply types REGOS_EXPORT_CERTIFICATES and ROCS_EXPORT_CERTIFICATES',
  },
  { code: 'received_statement_path_and_pdf_context', lacks: 'statements[].pdf_context' },
  { code: 'standalone_payment_request_method_code_unexpected', lacks: PAYMENT_REQUEST_METHOD },
  { code: 'standalone_payment_request_method_code_invalid', lacks: PAYMENT_REQUEST_METHOD },
  {
    code: 'both_landlord_details_and_property_administrators_provided',
    lacks: "the landlord's details on a supply address",
  },
];
