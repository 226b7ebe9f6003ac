import { Injectable } from '@nestjs/common';
import { Database } from '@portage/platform';
import { AccountRequestRepository } from '../requests/account-request.repository';
import { ImportedAccountRepository } from '../account/imported-account.repository';
import { ONE_ORGANISATION_CONSTRAINT, PaymentInstructionRepository } from './payment-instruction.repository';
import type { VerifiedInstruction } from './vendors/payment-vendor';
import type { InstructionInput, InstructionOutcome } from './instruction-request';

/** A request that a worker has started. */
export interface StartedInstruction {
  id: string;
  accountId: string;
  /** Time since the request was stored, in milliseconds: how long its client has waited. */
  waitedMs: number;
  /** The API key that posted it; null if it is not known. */
  actor: string | null;
  input: InstructionInput;
}

/** The stored outcome of a request. `outdated`: another worker had stored one before, so nothing was stored. */
export type EndedInstruction = InstructionOutcome | { kind: 'outdated' };

/** Reads and writes payment instructions and the requests for them. */
@Injectable()
export class PaymentInstructions {
  constructor(
    private readonly database: Database,
    private readonly requests: AccountRequestRepository,
    private readonly accounts: ImportedAccountRepository,
    private readonly instructions: PaymentInstructionRepository,
  ) {}

  /**
   * Starts a request.
   *
   * @returns undefined if it is finished
   */
  async start(requestId: string): Promise<StartedInstruction | undefined> {
    const [request] = await this.requests.start([requestId], 'payment-instruction');
    return request && { ...request, input: request.input as InstructionInput };
  }

  /** True if an equal instruction is verified and active. */
  async isActive({ accountId, input }: StartedInstruction): Promise<boolean> {
    const { vendor, reference, type, ledgerCode, ledgerCodes, terms } = input;
    const active = await this.instructions.active(this.database, { accountId, type, ledgerCodes });
    return active.some(
      (instruction) =>
        instruction.verifiedAt !== null &&
        instruction.vendor === vendor.toUpperCase() &&
        instruction.reference === reference &&
        instruction.ledgerCode === ledgerCode &&
        instruction.details['valid_from'] === terms.valid_from &&
        instruction.details['use_for_scheduled_payments'] === terms.use_for_scheduled_payments,
    );
  }

  /**
   * Activates an instruction, replaces the one of the same type and ledger, and ends the request. Instruction and
   * outcome are one commit, which only the first of several attempts reaches. The request is refused if the reference
   * has an active instruction of another organisation: the database decides, also between concurrent requests.
   */
  async activate(request: StartedInstruction, instruction: VerifiedInstruction): Promise<EndedInstruction> {
    try {
      return await this.store(request, instruction);
    } catch (error) {
      const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
      if (constraint !== ONE_ORGANISATION_CONSTRAINT) throw error;
      return this.end(request, { kind: 'refused', code: 'instruction_not_available' });
    }
  }

  private async store(
    { id, accountId, actor, input }: StartedInstruction,
    { vendor, reference, customerReference, details }: VerifiedInstruction,
  ): Promise<EndedInstruction> {
    const { type, ledgerCode, ledgerCodes, terms } = input;
    return this.database.transaction(async (executor) => {
      const accountExists = await this.accounts.lock(executor, accountId);
      // An account may be erased after the request was stored.
      const outcome: InstructionOutcome = accountExists ? { kind: 'stored' } : { kind: 'failed' };
      const ended = await this.requests.finish(executor, [
        { id, outcome, retainIdempotencyKey: accountExists },
      ]);
      if (!ended.has(id)) return { kind: 'outdated' };
      if (!accountExists) return outcome;
      await this.instructions.activate(
        executor,
        { accountId, type, ledgerCodes },
        {
          vendor,
          reference,
          ledgerCode,
          customerReference,
          actor,
          details: { ...toContractNames(details), ...terms },
        },
      );
      return outcome;
    });
  }

  /**
   * Ends a request without storing an instruction. A refused or failed request may be sent again with the same
   * idempotency key.
   */
  async end({ id }: StartedInstruction, outcome: InstructionOutcome): Promise<EndedInstruction> {
    const ended = await this.requests.finish(this.database, [
      { id, outcome, retainIdempotencyKey: outcome.kind === 'stored' },
    ]);
    return ended.has(id) ? outcome : { kind: 'outdated' };
  }
}

/** Renames the vendor's details to the contract's style, like the details that came with the account. */
function toContractNames(details: VerifiedInstruction['details']): Record<string, unknown> {
  return {
    brand: details.brand,
    last_four: details.lastFour,
    expiry_month: details.expiryMonth,
    expiry_year: details.expiryYear,
    scheme: details.scheme,
    bank_account_reference: details.bankAccountReference,
    creditor_reference: details.creditorReference,
  };
}
