import { Inject, Injectable } from '@nestjs/common';
import { MAIL_TRANSPORT, type MailTransport } from '@portage/platform';
import { WelcomeEmailRepository } from './welcome-email.repository';

/**
 * The outcome of a job. `kept`: no mail server is configured, so the e-mail stays in the outbox. `outdated`: an
 * earlier job has settled it.
 */
export type WelcomeEmailOutcome = 'sent' | 'kept' | 'refused' | 'outdated';

/** Sends the welcome e-mail of an imported account from the outbox. */
@Injectable()
export class SendWelcomeEmail {
  constructor(
    private readonly emails: WelcomeEmailRepository,
    @Inject(MAIL_TRANSPORT) private readonly mail: MailTransport | undefined,
  ) {}

  /**
   * Sends the e-mail once, unless a worker dies between the mail server's answer and the next statement. The message id
   * stays the same, so that mail servers can recognise a repetition.
   *
   * @throws MailUnavailable if the queue should retry the job
   */
  async run(accountId: string): Promise<WelcomeEmailOutcome> {
    const email = await this.emails.pending(accountId);
    if (!email) return 'outdated';
    if (!this.mail) {
      await this.emails.settle(accountId, 'KEPT');
      return 'kept';
    }
    const result = await this.mail.send({
      to: email.recipient,
      subject: email.subject,
      text: email.body,
      messageId: `<welcome-${accountId}@portage>`,
    });
    if (result.outcome === 'sent') {
      await this.emails.settle(accountId, 'SENT');
      return 'sent';
    }
    await this.emails.settle(accountId, 'REFUSED', String(result.code));
    return 'refused';
  }
}
