import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type VerificationResult, VerifyPaymentInstruction } from '@portage/accounts';
import { type JobPayload, Logger, queueSettings, RetryAfterError } from '@portage/platform';
import { PerformAdditions, type SubmittedInstruction } from '@portage/submissions';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, failAttempt, fieldsOf } from './job-attempt';

const QUEUE = 'payment-instructions';

/** Processes jobs of `payment-instructions`: each attempt sends one request to the payment vendor. */
@Processor(QUEUE)
export class PaymentInstructionsProcessor extends WorkerHost {
  constructor(
    private readonly verifyPaymentInstruction: VerifyPaymentInstruction,
    private readonly additions: PerformAdditions,
    private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the request has ended without an instruction, so that the job shows as failed
   * @throws Error if a retry may succeed; after the last attempt the sweeper enqueues the request again
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['verify-payment-instruction']);
    const { requestId, submissionId } = job.data;
    const fields = fieldsOf(job);
    let result: VerificationResult;
    try {
      result = await this.verifyPaymentInstruction.run(
        requestId,
        fields.attempt >= queueSettings[QUEUE].attempts,
      );
    } catch (error) {
      throw failAttempt(this.logger, job, error);
    }
    const { kind: status } = result;
    if (submissionId !== undefined && result.kind !== 'retry')
      await this.conclude({ submissionId, requestId });
    if (!('code' in result)) {
      this.logger.debug('A job has ended.', { ...fields, status });
      if (status === 'failed') throw new UnrecoverableError('error');
      return;
    }
    this.logger.log('A payment vendor did not confirm an instruction.', {
      ...fields,
      status,
      code: result.code,
    });
    throw result.kind === 'retry'
      ? new RetryAfterError(result.code, result.afterMs)
      : new UnrecoverableError(result.code);
  }

  /** Ends the line of a submission, and has the next ones started. What fails here is done by the sweeper. */
  private async conclude(request: SubmittedInstruction): Promise<void> {
    await this.additions.conclude(request).catch((error: unknown) => {
      this.logger.warn('A payment instruction of a submission was not concluded. The sweeper will do it.', {
        error,
      });
    });
  }
}
