import { Injectable } from '@nestjs/common';
import { inspectDocumentJob, JobProducer, type NewJob, welcomeEmailJob } from '@portage/platform';
import type { AccountLabel } from '../account/account-label';

/** An account that was created, and its follow-ups, which have jobs of their own. */
export interface CreatedAccount {
  accountId: string;
  documentIds: string[];
  hasWelcomeEmail: boolean;
}

/** An account whose follow-ups have rows and no jobs yet. */
export interface AccountWithFollowUps {
  account: CreatedAccount;
  label: AccountLabel;
  /** The parent of the spans of the jobs, as a W3C `traceparent`. Default: the active span. */
  traceparent?: string | undefined;
}

/**
 * Enqueues the follow-ups of created accounts: the inspection of their documents and their welcome e-mails. Their rows
 * are committed with the accounts; if a job cannot be added, the sweeper adds it later.
 */
@Injectable()
export class AccountFollowUps {
  constructor(private readonly producer: JobProducer) {}

  /** Enqueues the jobs, with one call for each queue. Never throws. */
  async enqueue(accounts: readonly AccountWithFollowUps[]): Promise<void> {
    const documents: NewJob<'documents'>[] = [];
    const emails: NewJob<'emails'>[] = [];
    for (const { account, label, traceparent } of accounts) {
      const trace = traceparent === undefined ? {} : { traceparent };
      for (const documentId of account.documentIds)
        documents.push({ ...inspectDocumentJob({ documentId, ...label }), ...trace });
      if (account.hasWelcomeEmail)
        emails.push({ ...welcomeEmailJob({ accountId: account.accountId, ...label }), ...trace });
    }
    await Promise.all([
      documents.length > 0 && this.producer.add('documents', documents),
      emails.length > 0 && this.producer.add('emails', emails),
    ]);
  }
}
