/**
 * The settings of one supplier that rules use. Rules, stored settings and command line options use the same
 * names.
 */
export interface SupplierSettings {
  /** Accounts are imported without meter points. */
  readonly skip_supply_point_creation: boolean;
  /** Accounts are imported without supply addresses. */
  readonly skip_property_creation: boolean;
  /** True: the platform allocates teams. False: the payload must name one. Undefined: both are accepted. */
  readonly auto_allocate_operations_team: boolean | undefined;
  /** Supply points are switched through the market. */
  readonly send_registration_flows: boolean;
  /** Portfolios are created with the account; the payload does not refer to existing ones. */
  readonly create_new_portfolios: boolean;
  /** Every account belongs to a contract of its business. */
  readonly enforce_business_contracts_exist: boolean;
  /** The contract identifies the business, so the payload must not describe it. */
  readonly link_account_to_business_with_contract: boolean;
  /** Former supply addresses are imported too and must be fully billed. */
  readonly import_supply_address_history: boolean;
}

/** The settings of the instance that rules use. Amounts are decimal text in major currency units. */
export interface InstanceSettings {
  readonly allow_managed_accounts: boolean;
  readonly consents_enabled: boolean;
  /** Role of customers without a role; undefined if there is none. */
  readonly default_customer_role: string | undefined;
  /** Historical transactions must name their bill (true) or must not (false). Undefined: both are accepted. */
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

/** The name of a supplier's setting. */
export type SupplierSetting = keyof SupplierSettings;
/** The name of a setting of the instance. */
export type InstanceSetting = keyof InstanceSettings;

/** The default settings of a supplier. They reject nothing that the contract allows. */
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

/** The default settings of an instance. They reject nothing that the contract allows. */
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

/** The names of all settings of a supplier, for storage and the command line. */
export const SUPPLIER_SETTINGS = Object.keys(SUPPLIER_DEFAULTS) as readonly SupplierSetting[];
/** The names of all settings of the instance. */
export const INSTANCE_SETTINGS = Object.keys(INSTANCE_DEFAULTS) as readonly InstanceSetting[];
