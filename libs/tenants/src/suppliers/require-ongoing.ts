import type { ImportSupplierStatus } from './import-supplier';

/** The error detail for a supplier that accepts no accounts at present, because its migration is paused or complete. */
export function migrationClosedMessage(status: ImportSupplierStatus): string {
  return status === 'Paused'
    ? 'Migrations of this import supplier are paused. Ask the operator when they go on.'
    : 'Migrations of this import supplier are complete. No more accounts are accepted.';
}
