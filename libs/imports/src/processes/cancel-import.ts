import { Injectable } from '@nestjs/common';
import { AuditRepository, Database, PortageError } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { type Caller, ImportSupplierDirectory } from '@portage/tenants';
import { ImportProcessSteeringRepository, type SteeredProcess } from './import-process-steering.repository';
import { statusesAllowing } from './status';
import type { ImportProcessStatusView } from './import-process.dto';
import { ImportStatus } from './import-status';
import { PROCESS } from './process-error';

/** Cancels the import of an account that has not begun, for its supplier. */
@Injectable()
export class CancelImport {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessSteeringRepository,
    private readonly status: ImportStatus,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Cancels a process that is pending, so that its job does nothing, or that waits for its release. Safe to repeat: a
   * cancelled process stays cancelled.
   *
   * @param identifier the external identifier of the process
   * @returns the v2 status afterwards
   * @throws PortageError `not_found`; `import_process_in_progress` once it has begun;
   * `account_import_process_already_imported`; `import_process_not_pending` if it has ended without an account
   */
  async cancel(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    supplierCode: string,
    identifier: string,
  ): Promise<ImportProcessStatusView> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    const steering = { action: 'cancel', from: statusesAllowing('cancel'), actor } as const;
    const externalIdentifier = readIdentifier(identifier);
    const id =
      externalIdentifier === undefined
        ? undefined
        : await this.processes.findId({ supplierId: supplier.id, externalIdentifier });
    const found = await this.database.transaction(async (executor) => {
      const [process] = id === undefined ? [] : await this.processes.steer(steering, [id], executor);
      if (process && process.version !== null)
        await this.audit.record(executor, {
          actor,
          action: 'process.cancel',
          supplier: supplier.code,
          subject: process.externalAccountNumber,
        });
      return process;
    });
    const { view } = await this.status.readV2(organisationId, supplierCode, identifier);
    if (found?.version === null) requireCancelled(found, view);
    return view;
  }
}

/** @throws PortageError with the reason why a process was not cancelled, unless it had been cancelled before */
function requireCancelled(
  { status }: SteeredProcess,
  { platform_identifier }: ImportProcessStatusView,
): void {
  if (status === 'CANCELLED') return;
  if (platform_identifier !== null)
    throw new PortageError(
      'account_import_process_already_imported',
      'This account has been imported already.',
      { account_id: platform_identifier },
    );
  // A process that was PENDING before has begun at the same time.
  if (status === 'PENDING' || status === 'IN_PROGRESS')
    throw new PortageError(
      'import_process_in_progress',
      'The import has begun, so it cannot be cancelled any more. Read its status for the outcome.',
      PROCESS,
    );
  throw new PortageError(
    'import_process_not_pending',
    `The import has ended with the status ${status}, so there is nothing to cancel.`,
    PROCESS,
  );
}
