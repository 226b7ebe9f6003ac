import { Global, Module } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import { MAIL_TRANSPORT, type MailTransport } from './mail-transport';
import { SmtpMailTransport } from './smtp-mail-transport';

type MailConfig = Pick<Config, 'SMTP_URL' | 'SMTP_TIMEOUT_MS' | 'MAIL_FROM'>;

/** The transport to the server that SMTP_URL names. Without one, mails stay in the outbox table. */
export function mailTransportOf(config: MailConfig): MailTransport | undefined {
  return (
    config.SMTP_URL &&
    new SmtpMailTransport(config.SMTP_URL, { from: config.MAIL_FROM, milliseconds: config.SMTP_TIMEOUT_MS })
  );
}

@Global()
@Module({
  providers: [{ provide: MAIL_TRANSPORT, inject: [CONFIG], useFactory: mailTransportOf }],
  exports: [MAIL_TRANSPORT],
})
export class MailModule {}
