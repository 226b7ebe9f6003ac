import { Injectable } from '@nestjs/common';
import { type Executor, translateErrors } from '@portage/platform';
import { In } from 'typeorm';
import { PaymentInstructionEntity } from './payment-instruction.entity';

/** A type on one ledger of an account. It has at most one active instruction. */
export interface InstructionSlot {
  accountId: string;
  type: string;
  /** The codes of the ledger; the main ledger also has the code `''`. */
  ledgerCodes: readonly string[];
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

/** Payment instructions of imported accounts. One is active for each type and ledger; the others stay as history. */
@Injectable()
export class PaymentInstructionRepository {
  /** The active instructions of a slot: at most one for each code of the ledger. */
  async active(
    executor: Executor,
    { accountId, type, ledgerCodes }: InstructionSlot,
  ): Promise<PaymentInstructionEntity[]> {
    return translateErrors(
      executor.manager.findBy(PaymentInstructionEntity, {
        accountId,
        type,
        ledgerCode: In(ledgerCodes),
        isActive: true,
      }),
    );
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
    const { manager } = executor;
    await manager
      .createQueryBuilder()
      .update(PaymentInstructionEntity)
      .set({ isActive: false })
      .where({ accountId, type, ledgerCode: In(ledgerCodes), isActive: true })
      .andWhere('NOT (vendor = :vendor AND reference = :reference AND ledger_code = :ledgerCode)', {
        vendor,
        reference,
        ledgerCode,
      })
      .execute();
    // A conflict is always with the same instruction, because all others have been deactivated.
    await manager
      .createQueryBuilder()
      .insert()
      .into(PaymentInstructionEntity)
      .values({
        accountId,
        type,
        vendor,
        reference,
        ledgerCode,
        customerReference: customerReference ?? null,
        isActive: true,
        verifiedAt: () => 'now()',
        details: details as object,
        actor,
      })
      .orUpdate(
        ['customer_reference', 'verified_at', 'details', 'actor'],
        ['account_id', 'type', 'ledger_code'],
        { indexPredicate: 'is_active' },
      )
      .execute();
  }
}
