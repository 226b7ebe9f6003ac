import { PortageError } from '@portage/platform';
import type { ImportSupplierStatus } from './import-supplier';

/** The error detail for a supplier that accepts no accounts at present, because its migration is paused or complete. */
export function migrationClosedMessage(status: ImportSupplierStatus): string {
  return status === 'Paused'
    ? 'Migrations of this import supplier are paused. Ask the operator when they go on.'
    : 'Migrations of this import supplier are complete. No more accounts are accepted.';
}

/**
 * Refuses a request of a supplier that accepts no accounts at present.
 *
 * @param members further members of the error
 * @throws PortageError `import_supplier_migration_not_ongoing`
 */
export function requireOngoing(
  supplier: { status: ImportSupplierStatus } | undefined,
  members: Record<string, unknown> = {},
): void {
  if (supplier && supplier.status !== 'Ongoing')
    throw new PortageError(
      'import_supplier_migration_not_ongoing',
      migrationClosedMessage(supplier.status),
      members,
    );
}
