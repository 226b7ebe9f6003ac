import { type AccountLookups, type ReferenceData, type SupplierSettings } from '../../src/index';
import { type InstanceSettings, type ValidationProfile } from '../../src/index';
import { type Account, example } from './settings';

/** Values by dotted path; undefined takes the field away. */
export type Edits = Readonly<Record<string, unknown>>;

/** One payload that breaks one rule, and one that just does not, as edits of a payload that breaks none. */
export interface RuleCase {
  readonly code: string;
  readonly body: () => Account;
  readonly profile: ValidationProfile;
  /** Which body it is; an account unless said. */
  readonly bodyName?: BodyName;
  readonly supplier?: Partial<SupplierSettings>;
  readonly supplierName?: 'LEGACY_A' | 'LEGACY_B';
  readonly instance?: Partial<InstanceSettings>;
  readonly references?: Partial<ReferenceData>;
  readonly lookups?: Partial<AccountLookups>;
  /** Where the breach must be reported. */
  readonly at: string;
  readonly breaks: Edits;
  /** Other breaches ("attr code") that cannot be avoided together with this one. */
  readonly also?: readonly string[];
  readonly holds: Edits;
  /** Other breaches that the payload which holds cannot avoid. */
  readonly whereas?: readonly string[];
}

export type BodyName = 'TaskParams' | 'TransactionsRequest' | 'PaymentInstructionRequest' | 'NotesRequest';

type Rest = Omit<RuleCase, 'code' | 'body' | 'profile' | 'at' | 'breaks' | 'holds'>;
type CaseOf = (code: string, at: string, breaks: Edits, holds: Edits, rest?: Rest) => RuleCase;

function caseOf(body: () => Account, profile: ValidationProfile, common: Rest = {}): CaseOf {
  return (code, at, breaks, holds, rest) => ({ code, body, profile, at, breaks, holds, ...common, ...rest });
}

/** Nothing but an account's identity, under the core profile: what is added stands alone. */
export const bare = caseOf(() => ({ import_supplier: 'LEGACY_A', external_account_number: 'A-1' }), 'core');

/** Examples under the profile of the British market. */
export const domestic = caseOf(() => example('01-domestic-dual-fuel'), 'gb-energy');
export const business = caseOf(() => example('03-business-two-addresses'), 'gb-energy');
export const occupier = caseOf(() => example('04-unknown-occupier'), 'gb-energy');

/** The least that is complete in the British market, for a supplier without supply points and teams. */
export const complete = caseOf(
  () => ({ ...example('02-minimal'), billing_address1: '1 Weir Row', billing_postcode: 'NN99 9ZZ' }),
  'gb-energy',
  { supplierName: 'LEGACY_B' },
);

/** A body that is no account. */
export function sent(bodyName: BodyName, body: Account): CaseOf {
  return caseOf(() => structuredClone(body), 'core', { bodyName });
}

/** A copy of a payload with edits; lists and objects on the way are made where there are none. */
export function edited(payload: Account, edits: Edits): Account {
  const copy = structuredClone(payload);
  for (const [path, value] of Object.entries(edits)) set(copy, path.split('.'), structuredClone(value));
  return copy;
}

function set(container: Account, path: readonly string[], value: unknown): void {
  const [key = '', next, ...rest] = path;
  if (next === undefined) {
    if (value === undefined && !Array.isArray(container)) Reflect.deleteProperty(container, key);
    else container[key] = value;
    return;
  }
  container[key] ??= /^\d+$/.test(next) ? [] : {};
  set(container[key] as Account, [next, ...rest], value);
}
