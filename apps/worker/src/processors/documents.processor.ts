import { Processor, WorkerHost } from '@nestjs/bullmq';
import { type DocumentOutcome, InspectDocument } from '@portage/accounts';
import { type JobPayload, Logger, queueSettings, RetryWithinError } from '@portage/platform';
import { type Job, UnrecoverableError } from 'bullmq';
import { assertJobName, AWAITED, failureCode, fieldsOf } from './job-attempt';

const QUEUE = 'documents';

/** The pause after the first attempt that the store did not answer. An outage is over sooner than a file is uploaded. */
const STORE_PAUSE_MS = 20_000;

/** Processes jobs of `documents`: each inspects one document, and is retried until the document has been uploaded. */
@Processor(QUEUE)
export class DocumentsProcessor extends WorkerHost {
  constructor(
    private readonly inspectDocument: InspectDocument,
    private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * @throws UnrecoverableError if the document is missing or refused for good, so that the job shows as failed
   * @throws Error if the document may still be uploaded, or the store did not answer
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    assertJobName(job, ['inspect-document']);
    const fields = fieldsOf(job);
    let outcome: DocumentOutcome;
    try {
      outcome = await this.inspectDocument.run(
        job.data.documentId,
        fields.attempt >= queueSettings[QUEUE].attempts,
      );
    } catch (error) {
      this.logger.warn('A document could not be inspected.', { ...fields, error });
      throw new RetryWithinError(failureCode(error), STORE_PAUSE_MS * 2 ** job.attemptsMade);
    }
    this.logger.debug('A document was inspected.', { ...fields, status: outcome.kind });
    if (outcome.kind === 'awaited') throw new Error(AWAITED);
    if ('code' in outcome) throw new UnrecoverableError(outcome.code);
  }
}
