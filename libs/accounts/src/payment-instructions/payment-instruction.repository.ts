import { Injectable } from '@nestjs/common';
import type { Executor, Statement } from '@portage/platform';

/** A type on one ledger of an account. It has at most one active instruction. */
export interface InstructionSlot {
  accountId: string;
  type: string;
  /** The codes of the ledger; the main ledger also has the code `''`. */
  ledgerCodes: readonly string[];
}

/** An active instruction. */
export interface ActiveInstruction {
  vendor: string;
  reference: string;
  ledgerCode: string;
  /** True if its vendor has confirmed it; false for an instruction that came with the account. */
  isVerified: boolean;
  details: Record<string, unknown>;
}

/** An instruction that its vendor has just confirmed. */
export interface NewInstruction {
  vendor: string;
  reference: string;
  ledgerCode: string;
  customerReference: string | undefined;
  details: Record<string, unknown>;
  /** The API key that posted it; null if it is not known. */
  actor: string | null;
}

/** A reference that is verified for one organisation is refused for others, by triggers with this name. */
export const ONE_ORGANISATION_CONSTRAINT = 'payment_instruction_one_organisation';

const active: Statement = {
  name: 'active-payment-instructions',
  text: `
    SELECT vendor, reference, ledger_code, verified_at IS NOT NULL AS is_verified, details
    FROM payment_instruction WHERE account_id = $1 AND type = $2 AND ledger_code = ANY($3) AND is_active`,
};

const deactivate: Statement = {
  name: 'deactivate-payment-instructions',
  text: `
    UPDATE payment_instruction SET is_active = false
    WHERE account_id = $1 AND type = $2 AND ledger_code = ANY($3) AND is_active
      AND (vendor, reference, ledger_code) IS DISTINCT FROM ($4::text, $5::text, $6::text)`,
};

const store: Statement = {
  name: 'store-payment-instruction',
  // A conflict is always with the same instruction, because all others have been deactivated.
  text: `
    INSERT INTO payment_instruction (account_id, type, vendor, reference, ledger_code, customer_reference, is_active,
      verified_at, details, actor)
    VALUES ($1, $2, $3, $4, $5, $6, true, now(), $7, $8)
    ON CONFLICT (account_id, type, ledger_code) WHERE is_active
    DO UPDATE SET customer_reference = EXCLUDED.customer_reference, verified_at = EXCLUDED.verified_at,
      details = EXCLUDED.details, actor = EXCLUDED.actor`,
};

/** Payment instructions of imported accounts. One is active for each type and ledger; the others stay as history. */
@Injectable()
export class PaymentInstructionRepository {
  /** The active instructions of a slot: at most one for each code of the ledger. */
  async active(
    executor: Executor,
    { accountId, type, ledgerCodes }: InstructionSlot,
  ): Promise<ActiveInstruction[]> {
    return executor.run<ActiveInstruction>(active, [accountId, type, ledgerCodes]);
  }

  /**
   * Replaces the active instruction. The caller holds the lock of the account.
   *
   * @throws the database's violation of {@link ONE_ORGANISATION_CONSTRAINT}: the transaction must not commit
   */
  async activate(
    executor: Executor,
    { accountId, type, ledgerCodes }: InstructionSlot,
    { vendor, reference, ledgerCode, customerReference, details, actor }: NewInstruction,
  ): Promise<void> {
    await executor.run(deactivate, [accountId, type, ledgerCodes, vendor, reference, ledgerCode]);
    await executor.run(store, [
      accountId,
      type,
      vendor,
      reference,
      ledgerCode,
      customerReference ?? null,
      JSON.stringify(details),
      actor,
    ]);
  }
}
