import { Global, Module } from '@nestjs/common';
import { CONFIG } from '../config/config.module';
import type { Config } from '../config/config';
import { MAIL_TRANSPORT, type MailTransport } from './mail-transport';
import { SmtpMailTransport } from './smtp-mail-transport';

/** Maximum time to deliver one e-mail to the mail server, from connecting to its last reply. */
const SMTP_TIMEOUT_MS = 15_000;

/** Creates the transport to the server in SMTP_URL. Without SMTP_URL e-mails stay in the outbox table. */
export function mailTransportOf(config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): MailTransport | undefined {
  return (
    config.SMTP_URL &&
    new SmtpMailTransport(config.SMTP_URL, { from: config.MAIL_FROM, timeoutMs: SMTP_TIMEOUT_MS })
  );
}

/** Provides the {@link MailTransport}, or undefined without SMTP_URL, to every module. */
@Global()
@Module({
  providers: [{ provide: MAIL_TRANSPORT, inject: [CONFIG], useFactory: mailTransportOf }],
  exports: [MAIL_TRANSPORT],
})
export class MailModule {}
