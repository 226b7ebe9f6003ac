import { readIdentifier } from '@portage/text';
import { isObject } from '../../vocabulary/json';
import { isDate } from '../../vocabulary/calendar';

/** The result of reading an operator's file: the data, or a sentence for each problem. */
export type ReferenceDataReading =
  | { readonly ok: true; readonly data: ReferenceData }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks one value and returns its problems, each with its path. */
interface Check<Value> {
  (value: unknown, path: string): string[];
  /** Never set: the type of a value without problems. */
  readonly accepted?: Value;
}

type Checks = Readonly<Record<string, Check<unknown>>>;

type Accepted<Of> = Of extends Check<infer Value> ? Value : never;

/** An object whose members the checks accept. */
type AcceptedMembers<Of> = { readonly [Key in keyof Of]: Accepted<Of[Key]> };

/** A text as validation reads that of an account: another spelling would match none. */
const text: Check<string> = (value, path) =>
  typeof value === 'string' && value !== '' && readIdentifier(value) === value
    ? []
    : [
        `${path}: enter a text of at most 256 visible characters, in the form NFC and without spaces around it`,
      ];
const flag: Check<boolean> = (value, path) =>
  typeof value === 'boolean' ? [] : [`${path}: enter true or false`];
const count: Check<number> = (value, path) =>
  Number.isInteger(value) && (value as number) > 0 ? [] : [`${path}: enter a whole number above zero`];
const day: Check<string> = (value, path) => (isDate(value) ? [] : [`${path}: enter a day as YYYY-MM-DD`]);

function oneOf<const Choice extends string>(...choices: readonly Choice[]): Check<Choice> {
  return (value, path) =>
    choices.includes(value as Choice) ? [] : [`${path}: choose one of ${choices.join(', ')}`];
}

function orNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value, path) => (value === null ? [] : check(value, path));
}

function listOf<Value>(check: Check<Value>): Check<readonly Value[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((member, i) => check(member, `${path}.${i}`))
      : [`${path}: enter a list`];
}

function entry<Required extends Checks, Optional extends object = object>(
  required: Required,
  optional?: Optional,
): Check<AcceptedMembers<Required> & Partial<AcceptedMembers<Optional>>> {
  return (value, path) => {
    if (!isObject(value)) return [`${path}: enter an object with ${Object.keys(required).join(', ')}`];
    const missing = Object.keys(required).filter((key) => value[key] === undefined);
    const wrong = Object.entries<Check<unknown>>({ ...required, ...optional }).flatMap(([key, check]) =>
      value[key] === undefined ? [] : check(value[key], `${path}.${key}`),
    );
    return [...missing.map((key) => `${path}.${key}: is missing`), ...wrong];
  };
}

/** A regular expression that must match a whole text. */
const pattern: Check<string> = (value, path) => {
  try {
    new RegExp(value as string);
    return typeof value === 'string' && value !== '' ? [] : [`${path}: enter a text`];
  } catch {
    return [`${path}: is not a valid regular expression`];
  }
};

const DETAIL_TYPE = oneOf('string', 'number', 'boolean', 'object', 'array');
const SUPPLY_TYPE: Check<string> = oneOf('ELECTRICITY', 'GAS');
const TEXTS = listOf(text);

/** Permitted values by characteristic. */
const characteristics: Check<Readonly<Record<string, readonly string[]>>> = (value, path) =>
  isObject(value)
    ? Object.entries(value).flatMap(([code, values]) => TEXTS(values, `${path}.${code}`))
    : [`${path}: enter an object of lists`];

/** The operator's lists. */
const CHECKS = {
  ledger_types: listOf(entry({ code: text, billable: flag })),
  products: listOf(
    entry({
      code: text,
      kind: oneOf('fixed', 'variable', 'tracker'),
      available_from: day,
      // The day from which no agreement may use the product.
      ends_on: orNull(day),
      rate_bands: TEXTS,
      // A code is unique within its supply type. There is one rate for each register.
      tariffs: listOf(entry({ code: text, supply_type: SUPPLY_TYPE, rates: count, prepay: flag })),
    }),
  ),
  operations_teams: TEXTS,
  campaigns: listOf(entry({ name: text, slug: text })),
  consent_types: TEXTS,
  roles: listOf(entry({ code: text, exclusive: flag })),
  // Details of persons. The customers of an account have different values of a unique one; all need a required one.
  user_detail_namespaces: listOf(
    entry({ namespace: text, type: DETAIL_TYPE }, { unique: flag, required: flag, check: pattern }),
  ),
  business_detail_keys: listOf(entry({ key: text, type: DETAIL_TYPE }, { check: pattern })),
  business_segments: TEXTS,
  portfolio_reference_namespaces: TEXTS,
  account_reference_namespaces: TEXTS,
  payment_vendors: TEXTS,
  affiliate_organisations: TEXTS,
  partner_organisations: TEXTS,
  partner_roles: TEXTS,
  debt_collection_agencies: TEXTS,
  dunning_paths: TEXTS,
  contribution_schemes: TEXTS,
  payment_plan_strategies: TEXTS,
  complaint_types: listOf(entry({ type: text, subtypes: TEXTS })),
  complaint_sources: TEXTS,
  official_bodies: listOf(entry({ name: text, statuses: TEXTS })),
  metering_agents: TEXTS,
  market_participants: listOf(entry({ id: text, supply_type: SUPPLY_TYPE })),
  tprs: TEXTS,
  twin_element_meters: TEXTS,
  // Contracts of the operator with market agents.
  agent_contracts: listOf(
    entry(
      { contract_reference: text, service_reference: text, service_level_reference: text, active: flag },
      { agent_mpid: text },
    ),
  ),
  // Categories of needs with their industry codes.
  priority_services_categories: listOf(
    entry({ elec_code: orNull(text), gas_code: orNull(text), description: text, temporary: flag }),
  ),
  product_characteristics: characteristics,
  internal_email_addresses: TEXTS,
} satisfies Checks;

/**
 * The operator's lists, in the format of the file that `reference import` reads. An absent list is not configured,
 * and nothing is checked against it. An empty list rejects every value.
 */
export type ReferenceData = Partial<AcceptedMembers<typeof CHECKS>>;

/** The name of a list. */
export type ReferenceList = keyof ReferenceData;

/** The names of all lists. */
export const REFERENCE_LISTS = Object.keys(CHECKS) as readonly ReferenceList[];

/** An entry of a list. */
export type EntryOf<List extends ReferenceList> = Extract<ReferenceData[List], readonly unknown[]>[number];

/** A registered detail of persons or businesses. */
export type RegisteredDetail = Pick<EntryOf<'business_detail_keys'>, 'type' | 'check'>;

/** Reads an operator's file of lists. Returns all problems, or the data. Unknown keys of the file are ignored. */
export function readReferenceData(json: unknown): ReferenceDataReading {
  if (!isObject(json)) return { ok: false, problems: ['enter a JSON object of lists'] };
  const configured = REFERENCE_LISTS.filter((list) => json[list] !== undefined);
  const problems = configured.flatMap((list) => CHECKS[list](json[list], list));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, data: Object.fromEntries(configured.map((list) => [list, json[list]])) };
}
