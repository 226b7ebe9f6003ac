/** Where a supplier's migration stands (contract 3.1). */
export const IMPORT_SUPPLIER_STATUSES = ['Ongoing', 'Paused', 'Complete'] as const;
export type ImportSupplierStatus = (typeof IMPORT_SUPPLIER_STATUSES)[number];

/** What a scheduled account goes through: created at once, after a dry run, or once an operator releases it. */
export const CREATION_MODES = ['direct', 'dry-run-first', 'staged'] as const;
export type CreationMode = (typeof CREATION_MODES)[number];

/** How much of an account must be there. `core` never asks for what is missing. */
export const VALIDATION_PROFILES = ['core', 'gb-energy'] as const;
export type ValidationProfile = (typeof VALIDATION_PROFILES)[number];
