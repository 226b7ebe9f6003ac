import { Inject, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigModule } from '../config/config.module';
import { loadConfig } from '../config/config';
import { MAIL_TRANSPORT, type MailTransport } from './mail-transport';
import { MailModule } from './mail.module';
import { SmtpMailTransport } from './smtp-mail-transport';

@Injectable()
class Outbox {
  constructor(@Inject(MAIL_TRANSPORT) readonly transport: MailTransport | undefined) {}
}

async function transportWith(environment: NodeJS.ProcessEnv): Promise<MailTransport | undefined> {
  const config = loadConfig('cli', { DATABASE_URL: 'postgres://127.0.0.1/portage', ...environment });
  const application = await Test.createTestingModule({
    imports: [ConfigModule.with(config), MailModule],
    providers: [Outbox],
  }).compile();
  return application.get(Outbox).transport;
}

describe('the mail transport', () => {
  it('is undefined without SMTP_URL, and the application starts', async () => {
    expect(await transportWith({})).toBeUndefined();
  });

  it('uses SMTP with SMTP_URL', async () => {
    expect(await transportWith({ SMTP_URL: 'smtp://127.0.0.1:9' })).toBeInstanceOf(SmtpMailTransport);
  });
});
