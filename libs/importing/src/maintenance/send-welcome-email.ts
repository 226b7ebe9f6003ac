import { Inject, Injectable } from '@nestjs/common';
import { WelcomeEmailRepository } from '@portage/database';
import { MAIL_TRANSPORT, type MailTransport } from '@portage/mail';

/** How a job about an e-mail ended. `outdated`: it had been dealt with before. */
export type WelcomeEmailOutcome = 'sent' | 'kept' | 'refused' | 'outdated';

/** Sends the welcome e-mail of an account from the outbox (DESIGN 4). */
@Injectable()
export class SendWelcomeEmail {
  constructor(
    private readonly emails: WelcomeEmailRepository,
    @Inject(MAIL_TRANSPORT) private readonly mail: MailTransport | undefined,
  ) {}

  /**
   * Sent once, unless a worker dies between the mail server's answer and its own next statement; the message id stays
   * the same, so that mail servers may see that it is a repetition. Without a mail server it stays in the outbox.
   *
   * @throws MailUnavailable for the queue to try again
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
