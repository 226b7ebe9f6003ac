import { Injectable } from '@nestjs/common';
import { type DocumentOutcome, InspectDocument } from '@portage/importing';
import { Logger } from '@portage/observability';
import { type JobPayload, queueSettings } from '@portage/queues';
import { type Job, UnrecoverableError } from 'bullmq';
import { failureCode } from './failure-code';

const QUEUE = 'documents';

/** Takes jobs of `documents`: one job looks at one document until it is there, or until nobody expects it any more. */
@Injectable()
export class DocumentsProcessor {
  constructor(
    private readonly inspectDocument: InspectDocument,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws UnrecoverableError when the document is missing or refused for good, so that the job shows as failed
   * @throws Error when the document may still come, or the store did not answer
   */
  async process(job: Job<JobPayload<typeof QUEUE>>): Promise<void> {
    const { documentId, supplier } = job.data;
    const attempt = job.attemptsMade + 1;
    const about = { queue: QUEUE, supplier, attempt, ...(job.id ? { jobId: job.id } : {}) };
    let outcome: DocumentOutcome;
    try {
      outcome = await this.inspectDocument.run(documentId, attempt >= queueSettings[QUEUE].attempts);
    } catch (error) {
      this.logger.warning('A document could not be looked at.', { ...about, error });
      throw new Error(failureCode(error));
    }
    this.logger.detail('A document was looked at.', { ...about, status: outcome.kind });
    if (outcome.kind === 'awaited') throw new Error('path_does_not_exist_in_file_store');
    if ('code' in outcome) throw new UnrecoverableError(outcome.code);
  }
}
