import type { ValidationProfile } from '../../src/context';
import type { AccountLookups } from '../../src/rules/operator/lookups';
import type { InstanceSettings, SupplierSettings } from '../../src/rules/operator/settings';
import type { ReferenceData } from '../../src/rules/operator/reference-data';
import { type Account, example } from './settings';

/** Values by dotted path; undefined removes the field. */
export type Edits = Readonly<Record<string, unknown>>;

/** A payload that breaks one rule and a similar payload that does not, as edits of a valid payload. */
export interface RuleCase {
  readonly code: string;
  readonly body: () => Account;
  readonly profile: ValidationProfile;
  /** The kind of body; an account by default. */
  readonly bodyName?: BodyName;
  readonly supplier?: Partial<SupplierSettings>;
  readonly supplierName?: 'LEGACY_A' | 'LEGACY_B';
  readonly instance?: Partial<InstanceSettings>;
  readonly references?: Partial<ReferenceData>;
  readonly lookups?: Partial<AccountLookups>;
  /** Path at which the breach must be reported. */
  readonly at: string;
  readonly breakingEdits: Edits;
  /** Other breaches ("attr code") that are unavoidable together with this one. */
  readonly otherBreaches?: readonly string[];
  readonly holdingEdits: Edits;
  /** Other breaches that are unavoidable in the valid payload. */
  readonly otherBreachesWhenHolding?: readonly string[];
}

/** The class of a body that is not an account. */
export type BodyName = 'TaskParams' | 'TransactionsRequest' | 'PaymentInstructionRequest' | 'NotesRequest';

type Rest = Omit<RuleCase, 'code' | 'body' | 'profile' | 'at' | 'breakingEdits' | 'holdingEdits'>;
interface CaseOf {
  (code: string, at: string, breaks: Edits, holds: Edits, rest?: Rest): RuleCase;
  /** Two values of the field at which the breach is reported. */
  value: (code: string, at: string, breaks: unknown, holds: unknown, rest?: Rest) => RuleCase;
  /** As `value`, one case a row, all of them with the same further edits. */
  rows: (edits: Edits, rows: readonly Row[], rest?: Rest) => readonly RuleCase[];
}
type Row = readonly [code: string, at: string, breaks: unknown, holds: unknown];

function caseOf(body: () => Account, profile: ValidationProfile, common: Rest = {}): CaseOf {
  const withEdits = (code: string, at: string, breaks: Edits, holds: Edits, rest?: Rest): RuleCase => ({
    code,
    body,
    profile,
    at,
    breakingEdits: breaks,
    holdingEdits: holds,
    ...common,
    ...rest,
  });
  return Object.assign(withEdits, {
    value: (code: string, at: string, breaks: unknown, holds: unknown, rest?: Rest) =>
      withEdits(code, at, { [at]: breaks }, { [at]: holds }, rest),
    rows: (edits: Edits, rows: readonly Row[], rest?: Rest) =>
      rows.map(([code, at, breaks, holds]) =>
        withEdits(code, at, { ...edits, [at]: breaks }, { ...edits, [at]: holds }, rest),
      ),
  });
}

/** An account with only its identifying fields, under the profile `core`. */
export const onMinimalAccount = caseOf(
  () => ({ import_supplier: 'LEGACY_A', external_account_number: 'A-1' }),
  'core',
);

/** Examples under the profile `gb-energy`. */
export const onDomesticAccount = caseOf(() => example('01-domestic-dual-fuel'), 'gb-energy');
export const onBusinessAccount = caseOf(() => example('03-business-two-addresses'), 'gb-energy');
export const onOccupierAccount = caseOf(() => example('04-unknown-occupier'), 'gb-energy');

/** The minimal complete account under `gb-energy`, of a supplier without supply points and teams. */
export const onCompleteAccount = caseOf(
  () => ({ ...example('02-minimal'), billing_address1: '1 Weir Row', billing_postcode: 'NN99 9ZZ' }),
  'gb-energy',
  { supplierName: 'LEGACY_B' },
);

/** A body that is not an account. */
export function onBody(bodyName: BodyName, body: Account): CaseOf {
  return caseOf(() => structuredClone(body), 'core', { bodyName });
}

/** A copy of a payload with edits; missing lists and objects on the paths are created. */
export function applyEdits(payload: Account, edits: Edits): Account {
  const copy = structuredClone(payload);
  for (const [path, value] of Object.entries(edits)) setAtPath(copy, path.split('.'), structuredClone(value));
  return copy;
}

function setAtPath(container: Account, path: readonly string[], value: unknown): void {
  const [key = '', next, ...rest] = path;
  if (next === undefined) {
    if (value === undefined && !Array.isArray(container)) Reflect.deleteProperty(container, key);
    else container[key] = value;
    return;
  }
  container[key] ??= /^\d+$/.test(next) ? [] : {};
  setAtPath(container[key] as Account, [next, ...rest], value);
}
