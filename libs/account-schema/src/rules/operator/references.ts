import { createHash } from 'node:crypto';
import type { EntryOf, ReferenceData, ReferenceList } from './reference-data';
import { keyOf } from '../terms/find-repeats';
import { groupBy } from '../terms/group-by';

type Product = EntryOf<'products'>;
type UserDetail = EntryOf<'user_detail_namespaces'>;
type AgentContract = EntryOf<'agent_contracts'>;

/** A tariff with its product. */
export type Tariff = Product['tariffs'][number] & { readonly product: Product };

/** Lists whose members are texts or are identified by one text. */
export type KeyedList = Exclude<
  ReferenceList,
  'campaigns' | 'market_participants' | 'priority_services_categories' | 'agent_contracts'
>;

/**
 * An index of the operator's lists. Building it is expensive: build it once for each version of the reference data
 * and reuse it. Methods return undefined if the list is not configured.
 */
export class References {
  private readonly keys = new Map<KeyedList, ReadonlySet<string>>();
  private readonly tariffs = new Map<string, Map<string, Tariff>>();
  private readonly products: ReadonlyMap<string, Product>;
  private readonly ledgerTypes: ReadonlyMap<string, { readonly billable: boolean }>;
  private readonly roles: ReadonlyMap<string, { readonly exclusive: boolean }>;
  private readonly userDetails: ReadonlyMap<string, UserDetail>;
  private readonly businessDetails: ReadonlyMap<string, EntryOf<'business_detail_keys'>>;
  private readonly complaintTypes: ReadonlyMap<string, { readonly subtypes: readonly string[] }>;
  private readonly bodies: ReadonlyMap<string, { readonly statuses: readonly string[] }>;
  private readonly campaignNames: ReadonlySet<string>;
  private readonly campaignSlugs: ReadonlySet<string>;
  private readonly participants: ReadonlySet<string>;
  private readonly required: readonly UserDetail[];
  private readonly characteristics: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly rateBands: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly contracts: ReadonlyMap<string, readonly AgentContract[]>;
  private readonly needs: NeedCategories | undefined;
  private readonly temporaryNeeds: NeedCategories;

  constructor(private readonly data: ReferenceData) {
    this.products = indexBy(data.products, ({ code }) => code);
    this.ledgerTypes = indexBy(data.ledger_types, ({ code }) => code);
    this.roles = indexBy(data.roles, ({ code }) => code);
    this.userDetails = indexBy(data.user_detail_namespaces, ({ namespace }) => namespace);
    this.businessDetails = indexBy(data.business_detail_keys, ({ key }) => key);
    this.complaintTypes = indexBy(data.complaint_types, ({ type }) => type);
    this.bodies = indexBy(data.official_bodies, ({ name }) => name);
    this.campaignNames = new Set(data.campaigns?.map(({ name }) => name));
    this.campaignSlugs = new Set(data.campaigns?.map(({ slug }) => slug));
    this.participants = new Set(data.market_participants?.map((one) => `${one.supply_type} ${one.id}`));
    this.required = data.user_detail_namespaces?.filter(({ required }) => required === true) ?? [];
    this.characteristics = new Map(
      Object.entries(data.product_characteristics ?? {}).map(([code, values]) => [code, new Set(values)]),
    );
    this.rateBands = new Map(data.products?.map(({ code, rate_bands }) => [code, new Set(rate_bands)]));
    this.contracts = groupBy(data.agent_contracts, contractKey);
    this.needs = data.priority_services_categories && new NeedCategories(data.priority_services_categories);
    this.temporaryNeeds = new NeedCategories(
      data.priority_services_categories?.filter(({ temporary }) => temporary) ?? [],
    );
    for (const product of this.products.values()) {
      for (const tariff of product.tariffs)
        this.tariffsOf(tariff.supply_type).set(tariff.code, { ...tariff, product });
    }
    for (const [list, members] of Object.entries(data) as [ReferenceList, ReferenceData[ReferenceList]][]) {
      const keys = keysOf(list, members);
      if (keys) this.keys.set(list as KeyedList, keys);
    }
  }

  private cachedDigest: string | undefined;

  /** A digest of the lists: lists with the same digest have the same entries in the same order. */
  get digest(): string {
    this.cachedDigest ??= createHash('sha256').update(JSON.stringify(this.data)).digest('hex');
    return this.cachedDigest;
  }

  isConfigured(list: ReferenceList): boolean {
    return this.data[list] !== undefined;
  }

  /** True if the list contains `key`; undefined if it is not configured. Pass e-mail addresses in lower case. */
  has(list: KeyedList, key: string): boolean | undefined {
    return this.keys.get(list)?.has(key);
  }

  /** The members of a list; empty if it is not configured. */
  members(list: KeyedList): readonly string[] {
    return [...(this.keys.get(list) ?? [])];
  }

  hasCampaign(by: 'name' | 'slug', key: string): boolean | undefined {
    if (!this.data.campaigns) return undefined;
    return (by === 'name' ? this.campaignNames : this.campaignSlugs).has(key);
  }

  hasMarketParticipant(supplyType: string, id: string): boolean | undefined {
    return this.data.market_participants && this.participants.has(`${supplyType} ${id}`);
  }

  tariff(supplyType: string, code: string): Tariff | undefined {
    return this.tariffs.get(supplyType)?.get(code);
  }

  private tariffsOf(supplyType: string): Map<string, Tariff> {
    const byCode = this.tariffs.get(supplyType) ?? new Map<string, Tariff>();
    this.tariffs.set(supplyType, byCode);
    return byCode;
  }

  product(code: string): Product | undefined {
    return this.products.get(code);
  }

  ledgerType(code: string): { readonly billable: boolean } | undefined {
    return this.ledgerTypes.get(code);
  }

  role(code: string): { readonly exclusive: boolean } | undefined {
    return this.roles.get(code);
  }

  userDetail(namespace: string): UserDetail | undefined {
    return this.userDetails.get(namespace);
  }

  requiredUserDetails(): readonly UserDetail[] {
    return this.required;
  }

  businessDetail(key: string): EntryOf<'business_detail_keys'> | undefined {
    return this.businessDetails.get(key);
  }

  complaintSubtypes(type: string): readonly string[] | undefined {
    return this.complaintTypes.get(type)?.subtypes;
  }

  officialStatuses(body: string): readonly string[] | undefined {
    return this.bodies.get(body)?.statuses;
  }

  /** The permitted values of a characteristic; undefined if it is not configured. */
  characteristicValues(code: string): ReadonlySet<string> | undefined {
    return this.characteristics.get(code);
  }

  /** The rate bands of the product with this code. */
  rateBandsOf(product: string): ReadonlySet<string> | undefined {
    return this.rateBands.get(product);
  }

  priorityServicesCategories(): NeedCategories | undefined {
    return this.needs;
  }

  temporaryPriorityServicesCategories(): NeedCategories {
    return this.temporaryNeeds;
  }

  /** The agent contracts with the references of `named`; its agent may be another. */
  agentContracts(named: ContractReferences): readonly AgentContract[] | undefined {
    return this.data.agent_contracts && (this.contracts.get(contractKey(named)) ?? []);
  }
}

/** The three references that identify an agent contract. */
type ContractReferences = Partial<
  Record<'contract_reference' | 'service_reference' | 'service_level_reference', string | null | undefined>
>;

function contractKey(one: ContractReferences): string {
  return keyOf(one.contract_reference, one.service_reference, one.service_level_reference);
}

/** An index of categories of needs. */
export class NeedCategories {
  private readonly codes: Record<'elec' | 'gas', ReadonlySet<string>>;
  private readonly descriptions: ReadonlySet<string>;

  constructor(categories: readonly EntryOf<'priority_services_categories'>[]) {
    const codesOf = (field: 'elec_code' | 'gas_code') =>
      new Set(categories.flatMap((one) => (one[field] === null ? [] : [paddedCode(one[field])])));
    this.codes = { elec: codesOf('elec_code'), gas: codesOf('gas_code') };
    this.descriptions = new Set(categories.map(({ description }) => description));
  }

  /** Compares codes as numbers: suppliers write both 8 and 08 for one code. */
  hasCode(fuel: 'elec' | 'gas', code: string): boolean {
    return this.codes[fuel].has(paddedCode(code));
  }

  hasDescription(description: string): boolean {
    return this.descriptions.has(description);
  }
}

function paddedCode(code: string): string {
  return code.padStart(2, '0');
}

/** The references of an operator without configured lists. */
export const NO_REFERENCES = new References({});

function indexBy<Entry>(entries: readonly Entry[] | undefined, key: (entry: Entry) => string) {
  return new Map(entries?.map((entry) => [key(entry), entry]));
}

const KEY_ATTRIBUTES = ['code', 'namespace', 'key', 'type', 'name'] as const;

function keysOf(list: ReferenceList, members: ReferenceData[ReferenceList]): Set<string> | undefined {
  if (members === undefined) return undefined;
  if (!Array.isArray(members)) return new Set(Object.keys(members));
  const keys = (members as readonly unknown[]).map((member) => memberKeyOf(member));
  return new Set(list === 'internal_email_addresses' ? keys.map((key) => key.toLowerCase()) : keys);
}

function memberKeyOf(member: unknown): string {
  if (typeof member === 'string') return member;
  const entry = member as Readonly<Record<string, unknown>>;
  const attribute = KEY_ATTRIBUTES.find((name) => typeof entry[name] === 'string');
  return attribute === undefined ? '' : (entry[attribute] as string);
}
