import { Injectable } from '@nestjs/common';
import type { Executor, Statement } from '../connection/database';

/** Where at most one instruction is in force: a type, on one ledger of an account. */
export interface InstructionPlace {
  accountId: string;
  type: string;
  /** What the ledger is called; the main one may go unnamed, as `''`. */
  ledgerCodes: readonly string[];
}

/** An instruction that is in force. */
export interface ActiveInstruction {
  vendor: string;
  reference: string;
  ledgerCode: string;
  /** Its vendor has confirmed it; not so what came with the account. */
  isVerified: boolean;
  details: Record<string, unknown>;
}

/** An instruction that its vendor has confirmed just now. */
export interface NewInstruction {
  vendor: string;
  reference: string;
  ledgerCode: string;
  customerReference: string | undefined;
  details: Record<string, unknown>;
}

const active: Statement = {
  name: 'active-payment-instructions',
  text: `
    SELECT vendor, reference, ledger_code AS "ledgerCode", verified_at IS NOT NULL AS "isVerified", details
    FROM payment_instruction WHERE account_id = $1 AND type = $2 AND ledger_code = ANY($3) AND is_active`,
};

const retire: Statement = {
  name: 'retire-payment-instructions',
  text: `
    UPDATE payment_instruction SET is_active = false
    WHERE account_id = $1 AND type = $2 AND ledger_code = ANY($3) AND is_active
      AND (vendor, reference, ledger_code) IS DISTINCT FROM ($4::text, $5::text, $6::text)`,
};

const store: Statement = {
  name: 'store-payment-instruction',
  // Meets only the same instruction: every other one has been retired.
  text: `
    INSERT INTO payment_instruction (account_id, type, vendor, reference, ledger_code, customer_reference, is_active,
      verified_at, details)
    VALUES ($1, $2, $3, $4, $5, $6, true, now(), $7)
    ON CONFLICT (account_id, type, ledger_code) WHERE is_active
    DO UPDATE SET customer_reference = EXCLUDED.customer_reference, verified_at = EXCLUDED.verified_at,
      details = EXCLUDED.details`,
};

/** Mandates of imported accounts. One is in force for each type and ledger; the others stay for history. */
@Injectable()
export class PaymentInstructionRepository {
  /** Those in force at a place: one, or two where the main ledger is called by both of its names. */
  async active(
    executor: Executor,
    { accountId, type, ledgerCodes }: InstructionPlace,
  ): Promise<ActiveInstruction[]> {
    return executor.run<ActiveInstruction & Record<string, unknown>>(active, [accountId, type, ledgerCodes]);
  }

  /** Puts an instruction in force instead of the one that is. The caller holds the lock of the account. */
  async putInForce(
    executor: Executor,
    { accountId, type, ledgerCodes }: InstructionPlace,
    { vendor, reference, ledgerCode, customerReference, details }: NewInstruction,
  ): Promise<void> {
    await executor.run(retire, [accountId, type, ledgerCodes, vendor, reference, ledgerCode]);
    await executor.run(store, [
      ...[accountId, type, vendor, reference, ledgerCode],
      ...[customerReference ?? null, JSON.stringify(details)],
    ]);
  }
}
