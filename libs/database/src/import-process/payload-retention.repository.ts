import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../connection/database';

/** For how many days a supplier's payloads are kept once their accounts exist. */
export interface PayloadRetention {
  supplierId: number;
  days: number;
}

const retentions: Statement = {
  name: 'payload-retentions',
  text: `
    SELECT id AS "supplierId", retain_payload_days AS days FROM import_supplier
    WHERE retain_payload_days IS NOT NULL`,
};

const erase: Statement = {
  name: 'erase-payloads',
  // SKIP LOCKED: several workers share the work, and an account that somebody writes to is left for the next time.
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, process_id FROM account
      WHERE supplier_id = $1 AND created_at < $2 AND payload_erased_at IS NULL
      ORDER BY created_at LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED
    ), erased AS (
      DELETE FROM import_process_payload payload USING due WHERE payload.process_id = due.process_id
    )
    UPDATE account SET payload_erased_at = now() FROM due WHERE account.id = due.id
    RETURNING account.id`,
};

/** Original payloads of imported accounts that have been kept for long enough. */
@Injectable()
export class PayloadRetentionRepository {
  constructor(private readonly database: Database) {}

  /** The suppliers whose payloads are not kept for as long as their accounts. */
  async retentions(): Promise<PayloadRetention[]> {
    return this.database.run<PayloadRetention & Record<string, unknown>>(retentions, []);
  }

  /** @returns how many payloads were erased, of accounts of the supplier that were created before that moment */
  async erase(supplierId: number, createdBefore: Date, most: number): Promise<number> {
    return (await this.database.run(erase, [supplierId, createdBefore, most])).length;
  }
}
