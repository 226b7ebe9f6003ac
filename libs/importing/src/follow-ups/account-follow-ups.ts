import { Injectable } from '@nestjs/common';
import type { CreatedAccount } from '@portage/database';
import { inspectDocumentJob, JobProducer, welcomeEmailJob } from '@portage/queues';

/** Which account a job is about, for those who watch the queues. */
export interface AccountLabel {
  supplier: string;
  externalAccountNumber: string;
}

/**
 * What happens to an account once it is there: its documents are looked at, its welcome e-mail is sent. The rows are
 * committed with the account; a job that cannot be added now is added by the sweeper.
 */
@Injectable()
export class AccountFollowUps {
  constructor(private readonly producer: JobProducer) {}

  async enqueue(
    { accountId, documentIds, hasWelcomeEmail }: Omit<CreatedAccount, 'processId'>,
    label: AccountLabel,
  ): Promise<void> {
    const documents = documentIds.map((documentId) => inspectDocumentJob({ documentId, ...label }));
    await Promise.all([
      documents.length > 0 && this.producer.add('documents', documents),
      hasWelcomeEmail && this.producer.add('emails', [welcomeEmailJob({ accountId, ...label })]),
    ]);
  }
}
