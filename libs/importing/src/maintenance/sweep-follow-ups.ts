import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { AccountRequestRepository, DocumentRepository, WelcomeEmailRepository } from '@portage/database';
import { Logger, Metrics } from '@portage/observability';
import { accountRequestJob, inspectDocumentJob, JobProducer, welcomeEmailJob } from '@portage/queues';

/** Rows of each kind that one sweep takes, so that a sweep after an outage stays short. */
const SWEEP_BATCH_SIZE = 1_000;

/**
 * Enqueues account requests, document inspections and welcome e-mails whose job is missing, because the queue lost it
 * or never accepted it. Several workers may sweep at once; each takes other rows.
 */
@Injectable()
export class SweepFollowUps {
  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly documents: DocumentRepository,
    private readonly emails: WelcomeEmailRepository,
    private readonly jobs: JobProducer,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Runs one sweep of at most {@link SWEEP_BATCH_SIZE} rows of each kind.
   *
   * @returns the number of missing jobs
   * @throws if the queue cannot be reached
   */
  async sweep(): Promise<number> {
    // The depth is read first: if the queue cannot be reached, no row is marked as checked.
    await this.jobs.depth('maintenance');
    const { SWEEP_AFTER_MS: after } = this.config;
    let missing = 0;
    for (const { id, kind, ...label } of await this.requests.takeStale(after, SWEEP_BATCH_SIZE))
      missing += await this.jobs.addMissing(...accountRequestJob(kind, { requestId: id, ...label }));
    missing += await this.jobs.addMissing(
      'documents',
      (await this.documents.takeStale(after, SWEEP_BATCH_SIZE)).map(inspectDocumentJob),
    );
    missing += await this.jobs.addMissing(
      'emails',
      (await this.emails.takeStale(after, SWEEP_BATCH_SIZE)).map(welcomeEmailJob),
    );
    if (missing > 0) {
      this.metrics.swept.inc(missing);
      this.logger.info('Enqueued missing follow-up jobs of imported accounts.', { count: missing });
    }
    return missing;
  }
}
