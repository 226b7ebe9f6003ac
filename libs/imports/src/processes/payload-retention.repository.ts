import { Injectable } from '@nestjs/common';
import { Database, type Statement, translateErrors } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import { IsNull, Not } from 'typeorm';

/** The days for which a supplier's payloads are stored after their accounts were created. */
export interface PayloadRetention {
  supplierId: number;
  days: number;
}

const erase: Statement = {
  name: 'erase-payloads',
  // SKIP LOCKED: several workers share the work, and an account with a concurrent write is left for the next run.
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, process_id FROM account
      WHERE supplier_id = $1 AND created_at < $2 AND payload_erased_at IS NULL
      ORDER BY created_at LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED
    ), erased AS (
      DELETE FROM import_process_payload payload USING due WHERE payload.process_id = due.process_id
    ), corrections AS (
      UPDATE import_process_correction correction SET changes = NULL, payload_digest = NULL FROM due
      WHERE correction.process_id = due.process_id AND correction.status <> 'PENDING'
    ), process AS (
      -- The payload could be guessed with its digest, and warnings quote it.
      UPDATE import_process SET payload_digest = NULL, warnings = NULL FROM due WHERE import_process.id = due.process_id
    )
    UPDATE account SET payload_erased_at = now() FROM due WHERE account.id = due.id
    RETURNING account.id`,
};

/** Erases original payloads of imported accounts whose retention has ended. */
@Injectable()
export class PayloadRetentionRepository {
  constructor(private readonly database: Database) {}

  /** The suppliers that limit the retention of payloads. */
  async retentions(): Promise<PayloadRetention[]> {
    const suppliers = await translateErrors(
      this.database.manager.findBy(ImportSupplierEntity, { retainPayloadDays: Not(IsNull()) }),
    );
    return suppliers.map(({ id: supplierId, retainPayloadDays }) => ({
      supplierId,
      days: retainPayloadDays as number,
    }));
  }

  /**
   * Erases payloads of accounts created before `createdBefore`, at most `limit`.
   *
   * @returns the number of erased payloads
   */
  async erase(supplierId: number, createdBefore: Date, limit: number): Promise<number> {
    return (await this.database.run(erase, [supplierId, createdBefore, limit])).length;
  }
}
