import { isObject } from '../../vocabulary/json';
import { isDate } from '../../vocabulary/calendar';
import { REFERENCE_LISTS, type ReferenceData, type ReferenceList } from './reference-data';

/** The result of reading an operator's file: the data, or a sentence for each problem. */
export type ReferenceDataReading =
  | { readonly ok: true; readonly data: ReferenceData }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Checks one value and returns its problems, each with its path. */
type Check = (value: unknown, path: string) => string[];

const text: Check = (value, path) =>
  typeof value === 'string' && value !== '' ? [] : [`${path}: enter a text`];
const flag: Check = (value, path) => (typeof value === 'boolean' ? [] : [`${path}: enter true or false`]);
const count: Check = (value, path) =>
  Number.isInteger(value) && (value as number) > 0 ? [] : [`${path}: enter a whole number above zero`];
const day: Check = (value, path) => (isDate(value) ? [] : [`${path}: enter a day as YYYY-MM-DD`]);

function oneOf(...choices: readonly string[]): Check {
  return (value, path) =>
    choices.includes(value as string) ? [] : [`${path}: choose one of ${choices.join(', ')}`];
}

function orNull(check: Check): Check {
  return (value, path) => (value === null ? [] : check(value, path));
}

function listOf(check: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((member, i) => check(member, `${path}.${i}`))
      : [`${path}: enter a list`];
}

function entry(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  return (value, path) => {
    if (!isObject(value)) return [`${path}: enter an object with ${Object.keys(required).join(', ')}`];
    const missing = Object.keys(required).filter((key) => value[key] === undefined);
    const wrong = Object.entries({ ...required, ...optional }).flatMap(([key, check]) =>
      value[key] === undefined ? [] : check(value[key], `${path}.${key}`),
    );
    return [...missing.map((key) => `${path}.${key}: is missing`), ...wrong];
  };
}

const pattern: Check = (value, path) => {
  try {
    new RegExp(value as string);
    return text(value, path);
  } catch {
    return [`${path}: is not a valid regular expression`];
  }
};

const FACT_TYPE = oneOf('string', 'number', 'boolean', 'object', 'array');
const SUPPLY_TYPE = oneOf('ELECTRICITY', 'GAS');
const TEXTS = listOf(text);

const CHECKS: Record<ReferenceList, Check> = {
  ledger_types: listOf(entry({ code: text, billable: flag })),
  products: listOf(
    entry({
      code: text,
      kind: oneOf('fixed', 'variable', 'tracker'),
      available_from: day,
      ends_on: orNull(day),
      rate_bands: TEXTS,
      tariffs: listOf(entry({ code: text, supply_type: SUPPLY_TYPE, rates: count, prepay: flag })),
    }),
  ),
  operations_teams: TEXTS,
  campaigns: listOf(entry({ name: text, slug: text })),
  consent_types: TEXTS,
  roles: listOf(entry({ code: text, exclusive: flag })),
  user_detail_namespaces: listOf(
    entry({ namespace: text, type: FACT_TYPE }, { unique: flag, required: flag, check: pattern }),
  ),
  business_detail_keys: listOf(entry({ key: text, type: FACT_TYPE }, { check: pattern })),
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
  agent_contracts: listOf(
    entry(
      { contract_reference: text, service_reference: text, service_level_reference: text, active: flag },
      { agent_mpid: text },
    ),
  ),
  priority_services_categories: listOf(
    entry({ elec_code: orNull(text), gas_code: orNull(text), description: text, temporary: flag }),
  ),
  product_characteristics: (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([code, values]) => TEXTS(values, `${path}.${code}`))
      : [`${path}: enter an object of lists`],
  internal_email_addresses: TEXTS,
};

/** Reads an operator's file of lists. Returns all problems, or the data. Unknown keys of the file are ignored. */
export function readReferenceData(json: unknown): ReferenceDataReading {
  if (!isObject(json)) return { ok: false, problems: ['enter a JSON object of lists'] };
  const configured = REFERENCE_LISTS.filter((list) => json[list] !== undefined);
  const problems = configured.flatMap((list) => CHECKS[list](json[list], list));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, data: Object.fromEntries(configured.map((list) => [list, json[list]])) };
}
