/** A tariff of a product; its code is unique among those of its supply type. */
export interface TariffEntry {
  readonly code: string;
  readonly supply_type: string;
  /** How many registers it prices. */
  readonly rates: number;
  readonly prepay: boolean;
}

export interface ProductEntry {
  readonly code: string;
  readonly kind: 'fixed' | 'variable' | 'tracker';
  readonly available_from: string;
  /** Day from which agreements may no longer run on it; null while there is none. */
  readonly ends_on: string | null;
  readonly rate_bands: readonly string[];
  readonly tariffs: readonly TariffEntry[];
}

/** The type of a registered fact. `check` is a regular expression that a text must match as a whole. */
export interface RegisteredFact {
  readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array';
  readonly check?: string;
}

export interface UserDetailNamespace extends RegisteredFact {
  readonly namespace: string;
  /** No two customers of an account may share a value. */
  readonly unique?: boolean;
  /** Every person needs one. */
  readonly required?: boolean;
}

export interface BusinessDetailKey extends RegisteredFact {
  readonly key: string;
}

export interface PriorityServicesCategory {
  readonly elec_code: string | null;
  readonly gas_code: string | null;
  readonly description: string;
  readonly temporary: boolean;
}

export interface AgentContractEntry {
  readonly contract_reference: string;
  readonly service_reference: string;
  readonly service_level_reference: string;
  readonly agent_mpid?: string;
  readonly active: boolean;
}

/**
 * The lists that only the operator knows, in the form of the file that `reference import` takes. A list that is
 * absent was never configured, and nothing is checked against it; an empty one refuses everything.
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

export type ReferenceList = keyof ReferenceData;

/** Every list by name; the compiler keeps it complete. */
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

export const REFERENCE_LISTS = Object.keys(NAMES) as readonly ReferenceList[];
