export { MAIL_TRANSPORT, type Mail, type MailTransport, MailUnavailable } from './mail-transport';
export { MailModule } from './mail.module';
export { welcomeEmail } from './welcome-email';
