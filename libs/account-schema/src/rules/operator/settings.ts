/**
 * How the operator set up one supplier, as far as rules ask. Names are those of the catalogue, so that a rule,
 * a stored setting and an option of the command line carry the same word.
 */
export interface SupplierSettings {
  /** Its accounts come without meter points. */
  readonly skip_supply_point_creation: boolean;
  /** Its accounts come without supply addresses. */
  readonly skip_property_creation: boolean;
  /** Teams are allocated by the platform; undefined: either way is accepted. */
  readonly auto_allocate_operations_team: boolean | undefined;
  /** Supply points are switched through the market. */
  readonly send_registration_flows: boolean;
  /** Portfolios are created with the account instead of being referred to. */
  readonly create_new_portfolios: boolean;
  /** Every account falls under a contract of its business. */
  readonly enforce_business_contracts_exist: boolean;
  /** The contract says who the business is, so the payload must not. */
  readonly link_account_to_business_with_contract: boolean;
  /** Former supply addresses are imported too, and must be billed to the end. */
  readonly import_supply_address_history: boolean;
}

/** How the whole instance is set up, as far as rules ask. Amounts are decimal text in major units. */
export interface InstanceSettings {
  readonly allow_managed_accounts: boolean;
  readonly consents_enabled: boolean;
  /** Role of a customer who is given none; undefined: there is no such role. */
  readonly default_customer_role: string | undefined;
  /** Historical transactions name their bill (true) or must not (false); undefined: either is accepted. */
  readonly require_billing_document_identifier: boolean | undefined;
  readonly check_file_paths: boolean;
  readonly cais_references_enabled: boolean;
  readonly allow_incomplete_payment_instructions: boolean;
  readonly main_ledger_code: string;
  readonly payment_schedule_amount_min: string | undefined;
  readonly payment_schedule_amount_max: string | undefined;
  readonly payment_day_min: number;
  readonly payment_day_max: number;
}

export type SupplierSetting = keyof SupplierSettings;
export type InstanceSetting = keyof InstanceSettings;

/** What holds for a supplier nobody has set up further: nothing is refused that the contract allows. */
export const SUPPLIER_DEFAULTS: SupplierSettings = {
  skip_supply_point_creation: false,
  skip_property_creation: false,
  auto_allocate_operations_team: undefined,
  send_registration_flows: false,
  create_new_portfolios: false,
  enforce_business_contracts_exist: false,
  link_account_to_business_with_contract: false,
  import_supply_address_history: false,
};

/** What holds for an instance nobody has set up further: nothing is refused that the contract allows. */
export const INSTANCE_DEFAULTS: InstanceSettings = {
  allow_managed_accounts: true,
  consents_enabled: true,
  default_customer_role: undefined,
  require_billing_document_identifier: undefined,
  check_file_paths: false,
  cais_references_enabled: true,
  allow_incomplete_payment_instructions: true,
  main_ledger_code: 'MAIN',
  payment_schedule_amount_min: undefined,
  payment_schedule_amount_max: undefined,
  payment_day_min: 1,
  payment_day_max: 31,
};

/** Every setting by name, for those who store them or take them on a command line. */
export const SUPPLIER_SETTINGS = Object.keys(SUPPLIER_DEFAULTS) as readonly SupplierSetting[];
export const INSTANCE_SETTINGS = Object.keys(INSTANCE_DEFAULTS) as readonly InstanceSetting[];
