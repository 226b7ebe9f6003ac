import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, Logger, queueSettings, type VendorFailureCode } from '@portage/platform';
import { PaymentVendors } from './vendors/payment-vendors';
import type { Unavailable } from './vendors/payment-vendor';
import { isTransient } from '../requests/transient-failure';
import { type EndedInstruction, PaymentInstructions, type StartedInstruction } from './payment-instructions';
import { isInTime, vendorTimeoutMs } from './vendor-timeout';

/** The result of an attempt: the outcome of the request, or a retry. */
export type VerificationResult =
  | EndedInstruction
  /** The queue retries the job. `afterMs` is the minimum pause that the vendor has demanded. */
  | { kind: 'retry'; code: VendorFailureCode; afterMs: number };

/**
 * The worker's half of a payment instruction: verifies it with its vendor and activates it (contract,
 * "Create a payment instruction").
 */
@Injectable()
export class VerifyPaymentInstruction {
  private readonly limits: { outcomeWaitMs: number; timeoutMs: number };

  constructor(
    private readonly instructions: PaymentInstructions,
    private readonly vendors: PaymentVendors,
    private readonly logger: Logger,
    @Inject(CONFIG) { OUTCOME_WAIT_MS: outcomeWaitMs, VENDOR_TIMEOUT_MS }: Config,
  ) {
    const timeoutMs = vendorTimeoutMs(outcomeWaitMs, queueSettings['payment-instructions']);
    this.limits = { outcomeWaitMs, timeoutMs: Math.min(VENDOR_TIMEOUT_MS, timeoutMs) };
  }

  /**
   * Calls the vendor at most once, outside of any transaction. Safe to repeat and to run concurrently: an account never
   * has two active instructions of one type and ledger.
   *
   * @param isLastAttempt true if the queue will not retry
   * @throws transient failures, which the queue retries
   */
  async run(requestId: string, isLastAttempt: boolean): Promise<VerificationResult> {
    const request = await this.instructions.start(requestId);
    if (!request) return { kind: 'outdated' };
    try {
      return await this.process(request, isLastAttempt);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.logger.error('A payment instruction could not be stored.', { error });
      return this.instructions.end(request, { kind: 'failed' });
    }
  }

  private async process(request: StartedInstruction, isLastAttempt: boolean): Promise<VerificationResult> {
    const { vendor, reference, type } = request.input;
    // A repeated request gets the same answer without another call to the vendor.
    if (await this.instructions.isActive(request)) return this.instructions.end(request, { kind: 'stored' });
    const answer = await this.vendors.verify(
      vendor,
      { reference, type },
      { timeoutMs: this.limits.timeoutMs },
    );
    switch (answer.outcome) {
      case 'verified':
        return request.input.isDryRun
          ? this.instructions.end(request, { kind: 'stored' })
          : this.instructions.activate(request, answer.instruction);
      case 'refused':
        return this.instructions.end(request, { kind: 'refused', code: answer.code });
      case 'unavailable':
        return isLastAttempt || !this.hasTimeFor(answer, request)
          ? this.instructions.end(request, { kind: 'unavailable', code: answer.code })
          : { kind: 'retry', code: answer.code, afterMs: answer.retryAfterMs ?? 0 };
    }
  }

  /** False if the client would give up before the next attempt ends: it gets its answer now instead. */
  private hasTimeFor({ retryAfterMs = 0 }: Unavailable, { waitedMs }: StartedInstruction): boolean {
    // The timeout takes the pauses of the queue into account already.
    return retryAfterMs === 0 || isInTime(retryAfterMs, waitedMs, this.limits);
  }
}
