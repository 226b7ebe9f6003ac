export {
  MAIL_TRANSPORT,
  type Mail,
  type MailOutcome,
  type MailTransport,
  MailUnavailable,
} from './mail-transport';
export { mailTransportOf, MailModule } from './mail.module';
export { welcomeEmail, type WelcomeEmailFacts } from './welcome-email';
