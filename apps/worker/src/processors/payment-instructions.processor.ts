import { Injectable } from '@nestjs/common';
import { type VerificationResult, VerifyPaymentInstruction } from '@portage/importing';
import { Logger } from '@portage/observability';
import { type JobPayload, queueSettings, TryAgainAfter } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'payment-instructions';

/** Takes jobs of `payment-instructions`: one attempt asks a vendor once. */
@Injectable()
export class PaymentInstructionsProcessor {
  constructor(
    private readonly verifyPaymentInstruction: VerifyPaymentInstruction,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws UnrecoverableError when the request has ended without an instruction, so that the job shows as failed
   * @throws Error when trying again may help; after the last attempt the sweeper brings the request back
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    const { requestId, supplier } = job.data;
    const attempt = job.attemptsMade + 1;
    const about = { queue: QUEUE, supplier, attempt, ...(job.id ? { jobId: job.id } : {}) };
    let result: VerificationResult;
    try {
      result = await this.verifyPaymentInstruction.run(requestId, attempt >= queueSettings[QUEUE].attempts);
    } catch (error) {
      this.logger.warning('A job met a failure that will pass.', { ...about, error });
      throw new Error(failureCode(error));
    }
    const { kind: status } = result;
    if (!('code' in result)) {
      this.logger.detail('A job has ended.', { ...about, status });
      if (status === 'failed') throw new UnrecoverableError('error');
      return;
    }
    this.logger.info('A payment vendor did not confirm an instruction.', {
      ...about,
      status,
      code: result.code,
    });
    throw result.kind === 'again'
      ? new TryAgainAfter(result.code, result.afterMs)
      : new UnrecoverableError(result.code);
  }
}
