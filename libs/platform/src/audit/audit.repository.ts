import { Injectable } from '@nestjs/common';
import { type AuditEntry, isApiKeyActor, quotaOfAction } from './audit';
import { AuditEntryEntity } from './audit-entry.entity';
import type { Executor } from '../database/connection/database';
import { translateErrors } from '../database/connection/database-unavailable';
import { Quotas } from '../limits/quotas';

/** The audit trail: actions, their actors and times. Entries are never changed or deleted. */
@Injectable()
export class AuditRepository {
  constructor(private readonly quotas: Quotas) {}

  /**
   * Adds an entry.
   *
   * @param executor the transaction of the audited action, so that both are committed or neither
   * @throws PortageError `quota_reached` if API requests of the supplier have made as many entries as they may, unless the
   * action only ends something
   */
  async record(executor: Executor, { actor, action, supplier, subject, details }: AuditEntry): Promise<void> {
    const quota = quotaOfAction(action);
    if (supplier !== undefined && quota !== undefined && isApiKeyActor(actor))
      await this.quotas.take(quota, { supplier }, 1, executor);
    const entry = { actor, action, supplier, subject, details: (details ?? {}) as object };
    // The columns are named because the application's role may not write the others.
    await translateErrors(
      executor.manager
        .createQueryBuilder()
        .insert()
        .into(AuditEntryEntity, ['actor', 'action', 'supplier', 'subject', 'details'])
        .values(entry)
        .updateEntity(false)
        .execute(),
    );
  }
}
