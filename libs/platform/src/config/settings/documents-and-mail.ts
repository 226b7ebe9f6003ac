import { documentStoreUrl } from '../document-store-url';
import { mailSender, smtpUrl } from '../smtp-url';
import { integer, optional } from '../validators';

export const documentAndMailSettings = {
  DOCUMENT_STORE_URL: documentStoreUrl({
    ...optional,
    desc: 'URL of the document store: file:///folder or s3://bucket?region=R. An S3-compatible store other than Amazon needs &endpoint=URL and often &forcePathStyle=true. Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or another source of the AWS SDK. Default: the folder documents under PORTAGE_DIR.',
  }),
  MAX_DOCUMENT_BYTES: integer({
    min: 1_000,
    max: 10_000_000_000,
    default: 104_857_600,
    desc: 'Maximum size in bytes of a document that is read.',
  }),
  SMTP_URL: smtpUrl({
    ...optional,
    desc: 'URL of the mail server: smtp://host:port (STARTTLS if the server offers it) or smtps://host:port (implicit TLS), with user:password@ before the host if the server requires a login. With a password STARTTLS is required, unless ?requireTLS=false. Default: e-mails stay in the outbox table.',
  }),
  MAIL_FROM: mailSender({
    default: 'no-reply@localhost',
    desc: 'Sender of e-mails: an address, or Name <address>.',
  }),
};
