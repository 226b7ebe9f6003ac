import { createHash } from 'node:crypto';
import { type EntryOf, REFERENCE_LISTS, type ReferenceData, type ReferenceList } from './reference-data';
import { keyOf } from '../terms/find-repeats';
import type { Codes } from '../terms/nearest-codes';
import { groupBy } from '../terms/group-by';

type Product = EntryOf<'products'>;
type AgentContract = EntryOf<'agent_contracts'>;

/** A tariff with its product. */
export type Tariff = Product['tariffs'][number] & { readonly product: Product };

/** Lists whose members are texts or are identified by one text. */
export type KeyedList = Exclude<
  ReferenceList,
  'campaigns' | 'market_participants' | 'priority_services_categories' | 'agent_contracts'
>;

/** The entry of a list by its key: the permitted values of a characteristic, or the member with that key. */
type KeyedEntry<List extends KeyedList> = List extends 'product_characteristics'
  ? readonly string[]
  : EntryOf<List>;

/** Codes that a field may name with the option `list`: those of a list, or the slugs or names of all campaigns. */
export type CodeList = KeyedList | 'campaign_slugs' | 'campaign_names';

/**
 * An index of the operator's lists. Building it is expensive: build it once for each version of the reference data
 * and reuse it. Methods return undefined if the list is not configured; maps are empty then.
 */
export class References {
  readonly requiredUserDetails: readonly EntryOf<'user_detail_namespaces'>[];
  readonly priorityServicesCategories: NeedCategories | undefined;
  readonly temporaryPriorityServicesCategories: NeedCategories;
  private readonly entries = new Map<CodeList, ReadonlyMap<string, unknown>>();
  private readonly tariffs = new Map<string, Map<string, Tariff>>();
  /** The ids of market participants by supply type. */
  private readonly participants: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly contracts: ReadonlyMap<string, readonly AgentContract[]>;

  constructor(private readonly data: ReferenceData) {
    if (data.campaigns) {
      this.entries.set('campaign_slugs', new Map(data.campaigns.map((one) => [one.slug, one])));
      this.entries.set('campaign_names', new Map(data.campaigns.map((one) => [one.name, one])));
    }
    const participants = groupBy(data.market_participants, ({ supply_type: type }) => type);
    this.participants = new Map(
      [...participants].map(([type, members]) => [type, new Set(members.map(({ id }) => id))]),
    );
    this.requiredUserDetails = data.user_detail_namespaces?.filter(({ required }) => required === true) ?? [];
    this.contracts = groupBy(data.agent_contracts, contractKey);
    this.priorityServicesCategories =
      data.priority_services_categories && new NeedCategories(data.priority_services_categories);
    this.temporaryPriorityServicesCategories = new NeedCategories(
      data.priority_services_categories?.filter(({ temporary }) => temporary) ?? [],
    );
    for (const product of data.products ?? [])
      for (const tariff of product.tariffs)
        this.tariffsOf(tariff.supply_type).set(tariff.code, { ...tariff, product });
    for (const [list, members] of Object.entries(data) as [ReferenceList, ReferenceData[ReferenceList]][]) {
      if (members) this.entries.set(list as KeyedList, entriesOf(list, members));
    }
  }

  /** The lists that are not configured: codes that would be in them are not checked. */
  get unconfigured(): readonly ReferenceList[] {
    // The addresses of the operator's staff are no codes.
    return REFERENCE_LISTS.filter((list) => !this.isConfigured(list) && list !== 'internal_email_addresses');
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
  has(list: CodeList, key: string): boolean | undefined {
    return this.entries.get(list)?.has(key);
  }

  /** The entry of a list with this key; undefined if there is none. */
  entry<List extends KeyedList>(list: List, key: string): KeyedEntry<List> | undefined {
    return this.entries.get(list)?.get(key) as KeyedEntry<List> | undefined;
  }

  /** The members of a list; empty if it is not configured. */
  members(list: CodeList): Codes {
    return this.entries.get(list) ?? NO_CODES;
  }

  hasMarketParticipant(supplyType: string, id: string): boolean | undefined {
    return this.data.market_participants && this.participants.get(supplyType)?.has(id) === true;
  }

  /** The ids of the participants in the market of a supply type. */
  marketParticipants(supplyType: string): Codes {
    return this.participants.get(supplyType) ?? NO_CODES;
  }

  tariff(supplyType: string, code: string): Tariff | undefined {
    return this.tariffs.get(supplyType)?.get(code);
  }

  /** The industry codes of needs at a supply type. */
  needCodes(supplyType: 'ELECTRICITY' | 'GAS'): Codes {
    return this.priorityServicesCategories?.codesOf(supplyType === 'GAS' ? 'gas' : 'elec') ?? NO_CODES;
  }

  /** The references of all contracts with market agents. */
  get contractReferences(): Codes {
    return new Set(this.data.agent_contracts?.map((one) => one.contract_reference));
  }

  /** The codes of the tariffs of a supply type. */
  tariffCodes(supplyType: string): Codes {
    return this.tariffs.get(supplyType) ?? NO_CODES;
  }

  private tariffsOf(supplyType: string): Map<string, Tariff> {
    const byCode = this.tariffs.get(supplyType) ?? new Map<string, Tariff>();
    this.tariffs.set(supplyType, byCode);
    return byCode;
  }

  /** The agent contracts with the references of `named`; its agent may be another. */
  agentContracts(named: ContractReferences): readonly AgentContract[] | undefined {
    return this.data.agent_contracts && (this.contracts.get(contractKey(named)) ?? []);
  }
}

const NO_CODES: Codes = new Set<string>();

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

  /** The industry codes of a fuel, with two digits. */
  codesOf(fuel: 'elec' | 'gas'): Codes {
    return this.codes[fuel];
  }

  /** The descriptions of all categories. */
  get allDescriptions(): Codes {
    return this.descriptions;
  }
}

function paddedCode(code: string): string {
  return code.padStart(2, '0');
}

/** The references of an operator without configured lists. */
export const NO_REFERENCES = new References({});

const KEY_ATTRIBUTES = ['code', 'namespace', 'key', 'type', 'name'] as const;

/** The entries of a list by their keys. */
function entriesOf(
  list: ReferenceList,
  members: NonNullable<ReferenceData[ReferenceList]>,
): Map<string, unknown> {
  if (!Array.isArray(members)) return new Map(Object.entries(members));
  const isOfAddresses = list === 'internal_email_addresses';
  return new Map(
    (members as readonly unknown[]).map((member) => {
      const key = memberKeyOf(member);
      return [isOfAddresses ? key.toLowerCase() : key, member];
    }),
  );
}

function memberKeyOf(member: unknown): string {
  if (typeof member === 'string') return member;
  const entry = member as Readonly<Record<string, unknown>>;
  const attribute = KEY_ATTRIBUTES.find((name) => typeof entry[name] === 'string');
  return attribute === undefined ? '' : (entry[attribute] as string);
}
