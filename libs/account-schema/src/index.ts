/*
 * The public API, which the package `@portage/account-schema` has: validation of accounts and of what is added to them,
 * without the service. What only the service needs is in service.ts. Nothing that this file reaches reads files.
 */
export {
  DEFAULT_LIMITS,
  type FieldError,
  type SchemaContext,
  type Validated,
  VALIDATION_PROFILES,
  type ValidationProfile,
} from './context';
export { compileContract, validateAccount, validateBody } from './validate';
export { suggestField } from './compiler/suggest-field';
export { findWarnings, MAX_WARNINGS } from './warnings/find-warnings';
export {
  buildCatalogue,
  type Catalogue,
  type CatalogueField,
  type CatalogueRule,
  type CatalogueWarning,
} from './catalogue/catalogue';
export { type FieldCode } from './catalogue/field-codes';
export { openApiSchemas } from './openapi/schemas';
export { type RuleSettings } from './rules/operator/rule-settings';
export { type InstanceSettings, type SupplierSettings } from './rules/operator/settings';
export {
  readReferenceData,
  REFERENCE_LISTS,
  type ReferenceData,
  type ReferenceDataReading,
} from './rules/operator/reference-data';
export { References } from './rules/operator/references';
export { Account } from './contract/account';
export { Customer } from './contract/customer';
export { Ledger } from './contract/ledger';
export { type MeterPoint } from './contract/meter-points';
export { Note, Statement } from './contract/documents';
export { type Transaction } from './contract/transactions';
export {
  NotesRequest,
  PaymentInstructionRequest,
  StatementsRequest,
  TransactionsRequest,
} from './contract/requests';
export { type ObjectType } from './vocabulary/shape';
