import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type JobPayload, translateErrors } from '@portage/platform';
import { Repository } from 'typeorm';
import { labelOf, takeStale } from '../account/take-stale';
import { WelcomeEmailEntity } from './welcome-email.entity';

/** An e-mail to send. */
export interface PendingWelcomeEmail {
  accountId: string;
  recipient: string;
  subject: string;
  body: string;
}

/** The outbox of welcome e-mails, which are stored with their account. */
@Injectable()
export class WelcomeEmailRepository {
  constructor(
    @InjectRepository(WelcomeEmailEntity) private readonly emails: Repository<WelcomeEmailEntity>,
    private readonly database: Database,
  ) {}

  /** The e-mail of the account, unless it has been sent or refused. */
  async pending(accountId: string): Promise<PendingWelcomeEmail | undefined> {
    const email = await translateErrors(this.emails.findOneBy({ accountId, state: 'PENDING' }));
    return email ?? undefined;
  }

  /** Stores the result of sending. The first result stays. */
  async settle(
    accountId: string,
    state: 'SENT' | 'REFUSED' | 'KEPT',
    errorCode: string | null = null,
  ): Promise<void> {
    const sentAt = state === 'SENT' ? () => 'now()' : null;
    await translateErrors(this.emails.update({ accountId, state: 'PENDING' }, { state, errorCode, sentAt }));
  }

  /**
   * Returns pending e-mails that were enqueued `olderThanMs` ago or earlier, and marks them as enqueued now, so that
   * no other sweeper takes them.
   */
  async takeStale(olderThanMs: number, limit: number): Promise<JobPayload<'emails'>[]> {
    const stale = await takeStale(this.database, WelcomeEmailEntity, { olderThanMs, limit });
    return stale.map(({ account }) => ({ accountId: account.id, ...labelOf(account) }));
  }
}
