import { Inject, Injectable } from '@nestjs/common';
import {
  accountRequestJob,
  CONFIG,
  type Config,
  inspectDocumentJob,
  JobProducer,
  Logger,
  Metrics,
  welcomeEmailJob,
} from '@portage/platform';
import { AccountRequestRepository, type StaleAccountRequest } from './account-request.repository';
import { DocumentRepository } from '../documents/document.repository';
import { WelcomeEmailRepository } from '../emails/welcome-email.repository';

/** Rows that one step of a sweep takes. */
const SWEEP_BATCH_SIZE = 1_000;

/** Steps of one sweep for each kind of rows, so that a sweep after an outage stays short. */
const MAX_STEPS = 20;

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
   * Runs one sweep of at most {@link MAX_STEPS} times {@link SWEEP_BATCH_SIZE} rows of each kind. It continues only while
   * jobs are missing, so that the rows of one organisation do not wait for another sweep behind those of others.
   *
   * @returns the number of missing jobs
   * @throws if the queue cannot be reached
   */
  async sweep(): Promise<number> {
    // The depth is read first: if the queue cannot be reached, no row is marked as checked.
    await this.jobs.depth('maintenance');
    const { SWEEP_AFTER_MS: after } = this.config;
    let missing = await this.sweepAll(
      async () => this.requests.takeStale(after, SWEEP_BATCH_SIZE),
      async (stale) => this.addMissingRequests(stale),
    );
    missing += await this.sweepAll(
      async () => this.documents.takeStale(after, SWEEP_BATCH_SIZE),
      async (stale) => this.jobs.addMissing('documents', stale.map(inspectDocumentJob)),
    );
    missing += await this.sweepAll(
      async () => this.emails.takeStale(after, SWEEP_BATCH_SIZE),
      async (stale) => this.jobs.addMissing('emails', stale.map(welcomeEmailJob)),
    );
    if (missing > 0) {
      this.metrics.swept.inc(missing);
      this.logger.log('Enqueued missing follow-up jobs of imported accounts.', { count: missing });
    }
    return missing;
  }

  private async sweepAll<Row>(
    takeStale: () => Promise<Row[]>,
    addMissing: (stale: Row[]) => Promise<number>,
  ): Promise<number> {
    let missing = 0;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const stale = await takeStale();
      const added = stale.length > 0 ? await addMissing(stale) : 0;
      missing += added;
      if (stale.length < SWEEP_BATCH_SIZE || added === 0) break;
    }
    return missing;
  }

  private async addMissingRequests(stale: readonly StaleAccountRequest[]): Promise<number> {
    let missing = 0;
    for (const { id, kind, inputLength, ...label } of stale)
      missing += await this.jobs.addMissing(
        ...accountRequestJob(kind, { requestId: id, ...label }, inputLength),
      );
    return missing;
  }
}
