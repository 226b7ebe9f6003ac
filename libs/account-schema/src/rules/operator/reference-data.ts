/** A tariff of a product; its code is unique within its supply type. */
export interface TariffEntry {
  readonly code: string;
  readonly supply_type: string;
  /** Number of rates, one for each register. */
  readonly rates: number;
  readonly prepay: boolean;
}

/** A product with its tariffs. */
export interface ProductEntry {
  readonly code: string;
  readonly kind: 'fixed' | 'variable' | 'tracker';
  readonly available_from: string;
  /** Day from which no agreement may use the product; null if there is none. */
  readonly ends_on: string | null;
  readonly rate_bands: readonly string[];
  readonly tariffs: readonly TariffEntry[];
}

/** The type of a registered fact. `check` is a regular expression that must match the whole text. */
export interface RegisteredFact {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
  readonly check?: string;
}

/** A registered namespace of facts about persons. */
export interface UserDetailNamespace extends RegisteredFact {
  readonly namespace: string;
  /** True if the customers of an account must have different values. */
  readonly unique?: boolean;
  /** True if every person needs a value. */
  readonly required?: boolean;
}

/** A registered key of facts about businesses. */
export interface BusinessDetailKey extends RegisteredFact {
  readonly key: string;
}

/** A category of needs with its industry codes. */
export interface PriorityServicesCategory {
  readonly elec_code: string | null;
  readonly gas_code: string | null;
  readonly description: string;
  readonly temporary: boolean;
}

/** A contract of the operator with a market agent. */
export interface AgentContractEntry {
  readonly contract_reference: string;
  readonly service_reference: string;
  readonly service_level_reference: string;
  readonly agent_mpid?: string;
  readonly active: boolean;
}

/**
 * The operator's lists, in the format of the file that `reference import` reads. An absent list is not configured,
 * and nothing is checked against it. An empty list rejects every value.
 */
export interface ReferenceData {
  readonly ledger_types?: readonly { readonly code: string; readonly billable: boolean }[];
  readonly products?: readonly ProductEntry[];
  readonly operations_teams?: readonly string[];
  readonly campaigns?: readonly { readonly name: string; readonly slug: string }[];
  readonly consent_types?: readonly string[];
  readonly roles?: readonly { readonly code: string; readonly exclusive: boolean }[];
  readonly user_detail_namespaces?: readonly UserDetailNamespace[];
  readonly business_detail_keys?: readonly BusinessDetailKey[];
  readonly business_segments?: readonly string[];
  readonly portfolio_reference_namespaces?: readonly string[];
  readonly account_reference_namespaces?: readonly string[];
  readonly payment_vendors?: readonly string[];
  readonly affiliate_organisations?: readonly string[];
  readonly partner_organisations?: readonly string[];
  readonly partner_roles?: readonly string[];
  readonly debt_collection_agencies?: readonly string[];
  readonly dunning_paths?: readonly string[];
  readonly contribution_schemes?: readonly string[];
  readonly payment_plan_strategies?: readonly string[];
  readonly complaint_types?: readonly { readonly type: string; readonly subtypes: readonly string[] }[];
  readonly complaint_sources?: readonly string[];
  readonly official_bodies?: readonly { readonly name: string; readonly statuses: readonly string[] }[];
  readonly metering_agents?: readonly string[];
  readonly market_participants?: readonly { readonly id: string; readonly supply_type: string }[];
  readonly tprs?: readonly string[];
  readonly twin_element_meters?: readonly string[];
  readonly agent_contracts?: readonly AgentContractEntry[];
  readonly priority_services_categories?: readonly PriorityServicesCategory[];
  /** Permitted values by characteristic. */
  readonly product_characteristics?: Readonly<Record<string, readonly string[]>>;
  readonly internal_email_addresses?: readonly string[];
}

/** The name of a list. */
export type ReferenceList = keyof ReferenceData;

/** The names of all lists. The type makes TypeScript check that none is missing. */
const NAMES: Record<ReferenceList, true> = {
  ledger_types: true,
  products: true,
  operations_teams: true,
  campaigns: true,
  consent_types: true,
  roles: true,
  user_detail_namespaces: true,
  business_detail_keys: true,
  business_segments: true,
  portfolio_reference_namespaces: true,
  account_reference_namespaces: true,
  payment_vendors: true,
  affiliate_organisations: true,
  partner_organisations: true,
  partner_roles: true,
  debt_collection_agencies: true,
  dunning_paths: true,
  contribution_schemes: true,
  payment_plan_strategies: true,
  complaint_types: true,
  complaint_sources: true,
  official_bodies: true,
  metering_agents: true,
  market_participants: true,
  tprs: true,
  twin_element_meters: true,
  agent_contracts: true,
  priority_services_categories: true,
  product_characteristics: true,
  internal_email_addresses: true,
};

/** The names of all lists. */
export const REFERENCE_LISTS = Object.keys(NAMES) as readonly ReferenceList[];
