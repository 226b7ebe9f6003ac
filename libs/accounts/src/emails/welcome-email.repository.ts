import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type JobPayload, type Statement, translateErrors } from '@portage/platform';
import { Repository } from 'typeorm';
import { WelcomeEmailEntity } from './welcome-email.entity';

/** An e-mail to send. */
export interface PendingWelcomeEmail {
  accountId: string;
  recipient: string;
  subject: string;
  body: string;
}

const takeStale: Statement = {
  name: 'take-stale-welcome-emails',
  text: `
    WITH stale AS (
      SELECT account_id FROM welcome_email
      WHERE state = 'PENDING' AND enqueued_at < now() - $1 * interval '1 millisecond'
      ORDER BY enqueued_at LIMIT $2
      FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE welcome_email email SET enqueued_at = now() FROM stale WHERE email.account_id = stale.account_id
      RETURNING email.account_id
    )
    SELECT account_id, organisation_id, supplier.code AS supplier,
      external_account_number
    FROM taken JOIN account ON account.id = account_id JOIN import_supplier supplier ON supplier.id = supplier_id`,
};

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
    return this.database.run<JobPayload<'emails'>>(takeStale, [olderThanMs, limit]);
  }
}
