import {
  NotesRequest,
  PaymentInstructionRequest,
  TaskParams,
  TransactionsRequest,
} from '../../src/contract/requests';
import type { FieldError, SchemaContext } from '../../src/context';
import { checkDatabaseRules } from '../../src/rules/check-database-rules';
import type { AccountLookups } from '../../src/rules/operator/lookups';
import { validateAccount, validateBody } from '../../src/validate';
import { applyEdits, type Edits, type RuleCase } from './rule-case';
import { operatorContext } from './settings';

const BODIES = { NotesRequest, PaymentInstructionRequest, TaskParams, TransactionsRequest };

/** Lookups in an empty database. */
const EMPTY_LOOKUPS: AccountLookups = {
  accountReferencesInUse: () => Promise.resolve(new Set()),
  caisReferencesInUse: () => Promise.resolve(new Set()),
  chargedPeriods: () => Promise.resolve(new Map()),
  missingFiles: () => Promise.resolve(new Set()),
  rolesHeldBy: () => Promise.resolve(new Map()),
};

/** The operator's settings and lists of a case. */
export function contextOf(one: RuleCase): SchemaContext {
  const { supplier = {}, supplierName: name = 'LEGACY_A', instance = {}, references = {} } = one;
  return operatorContext(one.profile, { name, supplier, instance, references });
}

/** The errors of the body of a case, changed by the edits, those of stored data included. */
export async function errorsOf(one: RuleCase, edits: Edits): Promise<FieldError[]> {
  const context = contextOf(one);
  const body = applyEdits(one.body(), edits);
  if (one.bodyName) {
    const result = validateBody<object>(BODIES[one.bodyName], body, context);
    return result.ok ? [] : result.errors;
  }
  const result = validateAccount(body, context);
  if (!result.ok) return result.errors;
  return checkDatabaseRules(result.value, context, { ...EMPTY_LOOKUPS, ...one.lookups });
}
