import { Injectable } from '@nestjs/common';
import {
  AccountRequestRepository,
  Database,
  ImportedAccountRepository,
  PaymentInstructionRepository,
} from '@portage/database';
import type { VerifiedInstruction } from '@portage/vendors';
import type { InstructionInput, InstructionOutcome } from './instruction-work';

/** A request that a worker has started. */
export interface StartedInstruction {
  id: string;
  accountId: string;
  /** For how long its client has been waiting, if it still is. */
  waitedMs: number;
  input: InstructionInput;
}

/** Storing one had no effect: somebody else had stored another outcome. */
export type Ended = InstructionOutcome | { kind: 'outdated' };

/** What is stored of instructions and of the requests for them. */
@Injectable()
export class PaymentInstructions {
  constructor(
    private readonly database: Database,
    private readonly requests: AccountRequestRepository,
    private readonly accounts: ImportedAccountRepository,
    private readonly instructions: PaymentInstructionRepository,
  ) {}

  /** The request, unless it is done. */
  async start(requestId: string): Promise<StartedInstruction | undefined> {
    const [request] = await this.requests.start([requestId], 'payment-instruction');
    return request && { ...request, input: request.input as InstructionInput };
  }

  /** Whether the very same instruction was verified and has not been replaced since. */
  async isInForce({ accountId, input }: StartedInstruction): Promise<boolean> {
    const { vendor, reference, type, ledgerCode, ledgerCodes, terms } = input;
    const active = await this.instructions.active(this.database, { accountId, type, ledgerCodes });
    return active.some(
      (one) =>
        one.isVerified &&
        one.vendor === vendor.toUpperCase() &&
        one.reference === reference &&
        one.ledgerCode === ledgerCode &&
        one.details['valid_from'] === terms.valid_from &&
        one.details['use_for_scheduled_payments'] === terms.use_for_scheduled_payments,
    );
  }

  /**
   * Puts an instruction in force instead of the one of its type and ledger, and ends its request. Instruction and
   * outcome are one commit, which of several attempts only the first one reaches.
   */
  async putInForce(
    { id, accountId, input }: StartedInstruction,
    { vendor, reference, customerReference, details }: VerifiedInstruction,
  ): Promise<Ended> {
    const { type, ledgerCode, ledgerCodes, terms } = input;
    return this.database.transaction(async (executor) => {
      const isThere = await this.accounts.lock(executor, accountId);
      // Otherwise it was erased in the moment in which the request was stored.
      const outcome: InstructionOutcome = isThere ? { kind: 'stored' } : { kind: 'failed' };
      const ended = await this.requests.finish(executor, [{ id, outcome, retainIdempotencyKey: isThere }]);
      if (!ended.has(id)) return { kind: 'outdated' };
      if (!isThere) return outcome;
      await this.instructions.putInForce(
        executor,
        { accountId, type, ledgerCodes },
        {
          ...{ vendor, reference, ledgerCode, customerReference },
          details: { ...contractNames(details), ...terms },
        },
      );
      return outcome;
    });
  }

  /**
   * Ends a request for which nothing was to be stored. Only what was done keeps its key: what was refused, or failed,
   * may be sent again under it.
   */
  async end({ id }: StartedInstruction, outcome: InstructionOutcome): Promise<Ended> {
    const ended = await this.requests.finish(this.database, [
      { id, outcome, retainIdempotencyKey: outcome.kind === 'stored' },
    ]);
    return ended.has(id) ? outcome : { kind: 'outdated' };
  }
}

/** Names are written as the contract writes names: what is stored beside them came with the account. */
function contractNames(details: VerifiedInstruction['details']): Record<string, unknown> {
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
