/** The states of a supplier's migration (contract, "States of an import supplier"). */
export const IMPORT_SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type ImportSupplierStatus = (typeof IMPORT_SUPPLIER_STATUSES)[number];

/** How a scheduled account is created: directly, after a dry run, or after a dry run and an operator's release. */
export const CREATION_MODES = ['direct', 'dry-run-first', 'staged'] as const;
export type CreationMode = (typeof CREATION_MODES)[number];

/** Which validation rules apply to an account. `core` excludes the completeness rules. */
export const VALIDATION_PROFILES = ['core', 'gb-energy'] as const;
export type ValidationProfile = (typeof VALIDATION_PROFILES)[number];

/** The forms of validation errors of the staging endpoints (v1): a list, or a dictionary shaped like the payload. */
export const V1_ERROR_FORMATS = ['standard', 'fields'] as const;
export type V1ErrorFormat = (typeof V1_ERROR_FORMATS)[number];
