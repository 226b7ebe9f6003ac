import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import type { VendorFailureCode } from '@portage/domain';
import { Logger } from '@portage/observability';
import { queueSettings } from '@portage/queues';
import { PaymentVendors, type Unavailable } from '@portage/vendors';
import { isTransient } from '../transient-failure';
import { askingTime, fits } from './asking-time';
import { type Ended, PaymentInstructions, type StartedInstruction } from './payment-instructions';

/** How an attempt ended: with the outcome of the request, or the vendor is to be asked again. */
export type VerificationResult =
  | Ended
  /** `afterMs`: no sooner, as the vendor has said. */
  | { kind: 'again'; code: VendorFailureCode; afterMs: number };

/** The worker's half of a payment instruction: has its vendor verify it, and puts it in force (contract 4.5). */
@Injectable()
export class VerifyPaymentInstruction {
  private readonly time: { outcomeWaitMs: number; askingMs: number };

  constructor(
    private readonly instructions: PaymentInstructions,
    private readonly vendors: PaymentVendors,
    private readonly logger: Logger,
    @Inject(CONFIG) { OUTCOME_WAIT_MS: outcomeWaitMs, VENDOR_TIMEOUT_MS }: Config,
  ) {
    const share = askingTime(outcomeWaitMs, queueSettings['payment-instructions']);
    this.time = { outcomeWaitMs, askingMs: Math.min(VENDOR_TIMEOUT_MS, share) };
  }

  /**
   * Asks the vendor at most once, outside any transaction. Safe to repeat and to run twice at once: an account never
   * has two instructions in force for one type and ledger.
   *
   * @throws what is transient, for the queue to try again
   */
  async run(requestId: string, isLastAttempt: boolean): Promise<VerificationResult> {
    const request = await this.instructions.start(requestId);
    if (!request) return { kind: 'outdated' };
    try {
      return await this.workOn(request, isLastAttempt);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.logger.failure('A payment instruction could not be stored.', { error });
      return this.instructions.end(request, { kind: 'failed' });
    }
  }

  private async workOn(request: StartedInstruction, isLastAttempt: boolean): Promise<VerificationResult> {
    const { vendor, reference, type } = request.input;
    // The same one again answers as the first time.
    if (await this.instructions.isInForce(request)) return this.instructions.end(request, { kind: 'stored' });
    const answer = await this.vendors.verify(vendor, { reference, type }, { timeoutMs: this.time.askingMs });
    switch (answer.outcome) {
      case 'verified':
        return this.instructions.putInForce(request, answer.instruction);
      case 'refused':
        return this.instructions.end(request, { kind: 'refused', code: answer.code });
      case 'unavailable':
        return isLastAttempt || !this.hasTimeFor(answer, request)
          ? this.instructions.end(request, { kind: 'unavailable', code: answer.code })
          : { kind: 'again', code: answer.code, afterMs: answer.retryAfterMs ?? 0 };
    }
  }

  /** A client is told at once rather than kept waiting for an attempt whose outcome it would not hear. */
  private hasTimeFor({ retryAfterMs = 0 }: Unavailable, { waitedMs }: StartedInstruction): boolean {
    // The queue's own pauses have been reckoned with.
    return retryAfterMs === 0 || fits(retryAfterMs, waitedMs, this.time);
  }
}
