/*
 * The public API of the library: validation of bodies, the rules' settings and reference data, the port to stored
 * data, and the classes of the contract that other libraries use. All other classes are reached through these.
 */
export { capErrors } from './compiler/pass';
export { type SchemaContext } from './context';
export { digestContext } from './context-digest';
export { buildCatalogue } from './catalogue/catalogue';
export { openApiSchemas } from './openapi/schemas';
export {
  compileContract,
  readValidAccountInSteps,
  validateAccount,
  validateAccountInSteps,
  validateBody,
  validateBodyInSteps,
  validateObjectInSteps,
  validateObject,
} from './validate';
export { suggestField } from './compiler/suggest-field';
export { findWarnings, findWarningsInSteps, MAX_WARNINGS } from './warnings/find-warnings';
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
export { readReferenceData, REFERENCE_LISTS } from './rules/operator/reference-data';
export { References } from './rules/operator/references';
export { validCodesOf } from './rules/operator/valid-codes';
export { type RuleSettings } from './rules/operator/rule-settings';
export {
  INSTANCE_DEFAULTS,
  INSTANCE_SETTINGS,
  type InstanceSettings,
  SUPPLIER_SETTINGS,
  type SupplierSettings,
} from './rules/operator/settings';
export { Account } from './contract/account';
export {
  NotesRequest,
  PaymentInstructionRequest,
  ProcessAccountRequest,
  ScheduleAccountRequest,
  StatementsRequest,
  TaskParams,
  TransactionsRequest,
} from './contract/requests';
export { Customer } from './contract/customer';
export { Ledger } from './contract/ledger';
export { type Transaction } from './contract/transactions';
export { Note, Statement } from './contract/documents';
export { ListOfChoices, Nested, Parsed } from './vocabulary/decorators';
export { type FieldOptions, fieldsOf } from './vocabulary/description';
export { type ValueParser } from './vocabulary/value-parser';
export { type MeterPoint } from './contract/meter-points';
export { readMoment } from './vocabulary/moment';
export { identifierOf } from './vocabulary/text';
