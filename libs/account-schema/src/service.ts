/*
 * What the service needs besides the public API, imported as `@portage/account-schema/service`: validation in steps, the
 * digest of a context, rules about stored data, the bodies and decorators of its endpoints. No part of the package.
 */
export { capErrors } from './compiler/pass';
export { digestContext } from './context-digest';
export {
  readValidAccountInSteps,
  validateAccountInSteps,
  validateBodyInSteps,
  validateObject,
  validateObjectInSteps,
} from './validate';
export { findWarningsInSteps } from './warnings/find-warnings';
export { WARNING_CODES } from './warnings/list';
export {
  findSharedValues,
  MANY_ACCOUNTS,
  type SharedValue,
  warnOfContact,
  warnOfMandate,
  warnOfSupplyPoint,
} from './warnings/shared-values';
export { dayIn } from './rules/terms/calendar';
export { checkDatabaseRules } from './rules/check-database-rules';
export { sortByPayloadOrder } from './rules/engine/payload-order';
export { earliestBilledTo } from './rules/terms/last-billed-to-date';
export { groupBy } from './rules/terms/group-by';
export { type DocumentReference, findDocumentReferences } from './rules/terms/placed-files';
export {
  type AccountLookups,
  type ChargedPeriod,
  type PeriodToCharge,
  type ReferenceValue,
} from './rules/operator/lookups';
export { validCodesOf } from './rules/operator/valid-codes';
export { INSTANCE_DEFAULTS, INSTANCE_SETTINGS, SUPPLIER_SETTINGS } from './rules/operator/settings';
export { ProcessAccountRequest, ScheduleAccountRequest, TaskParams } from './contract/requests';
export { ListOfChoices, Nested, Parsed } from './vocabulary/decorators';
export { type FieldOptions, fieldsOf } from './vocabulary/description';
export { type ValueParser } from './vocabulary/value-parser';
export { readMoment } from './vocabulary/moment';
export { identifierOf } from './vocabulary/text';
