import { Injectable } from '@nestjs/common';
import type { CreatedAccount } from '@portage/database';
import { inspectDocumentJob, JobProducer, welcomeEmailJob } from '@portage/queues';

/** Identifies an account in job payloads: its organisation, which shares the queues, and its names for operators. */
export interface AccountLabel {
  organisationId: number;
  supplier: string;
  externalAccountNumber: string;
}

/**
 * Enqueues the follow-ups of a created account: the inspection of its documents and its welcome e-mail. Their rows are
 * committed with the account; if a job cannot be added, the sweeper adds it later.
 */
@Injectable()
export class AccountFollowUps {
  constructor(private readonly producer: JobProducer) {}

  /** Enqueues the jobs. Never throws. */
  async enqueue(
    { accountId, documentIds, hasWelcomeEmail }: CreatedAccount,
    label: AccountLabel,
  ): Promise<void> {
    const documents = documentIds.map((documentId) => inspectDocumentJob({ documentId, ...label }));
    await Promise.all([
      documents.length > 0 && this.producer.add('documents', documents),
      hasWelcomeEmail && this.producer.add('emails', [welcomeEmailJob({ accountId, ...label })]),
    ]);
  }
}
