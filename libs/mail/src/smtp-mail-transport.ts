import { type SmtpAddress } from '@portage/config';
import { createTransport } from 'nodemailer';
import { type Mail, type MailOutcome, type MailTransport, MailUnavailable } from './mail-transport';
import { oneLine } from './one-line';

export interface SmtpOptions {
  /** `address` or `Name <address>`. */
  readonly from: string;
  /** For all of one mail. */
  readonly timeoutMs: number;
}

/** As much of nodemailer's errors as holds no address: their messages and responses do. */
interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/** One address: nothing that a header or an SMTP command would read as two, or as something else. */
const ADDRESS = /^[^\s<>@,;:"()\\\p{C}]{1,64}@[^\s<>@,;"()\\\p{C}]{1,255}$/u;
const MESSAGE_ID = /^<[\w.+-]+@[\w.-]+>$/;
const NO_SUCH_ADDRESS = 553;
const MAX_SUBJECT = 200;

/** The replies that are about this mail. 5xx to anything before them is about us, and mended by the operator. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA'];

/** Sends each mail over a connection of its own: there are few, and what is not kept cannot go stale. */
export class SmtpMailTransport implements MailTransport {
  private readonly transporter;

  constructor(
    { host, port, implicitTls, requireTls, credentials }: SmtpAddress,
    private readonly options: SmtpOptions,
  ) {
    this.transporter = createTransport({
      host,
      port,
      secure: implicitTls,
      requireTLS: requireTls,
      ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
      // Each step ends by itself; the signal in send() ends the sum of them.
      connectionTimeout: options.timeoutMs,
      greetingTimeout: options.timeoutMs,
      socketTimeout: options.timeoutMs,
      dnsTimeout: options.timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ to, subject, text, messageId }: Mail): Promise<MailOutcome> {
    if (!MESSAGE_ID.test(messageId)) throw new TypeError('A message id has the form <left@right>.');
    if (!ADDRESS.test(to)) return { outcome: 'refused', code: NO_SUCH_ADDRESS };
    const signal = AbortSignal.timeout(this.options.timeoutMs);
    try {
      await this.transporter.sendMail({
        from: this.options.from,
        to: { name: '', address: to },
        subject: oneLine(subject, MAX_SUBJECT),
        text,
        messageId,
        // Keeps holiday replies away.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      });
      return { outcome: 'sent' };
    } catch (error) {
      const { permanent, command = '', responseCode, originalCode, code } = error as SmtpError;
      if (permanent && responseCode && ABOUT_THE_MAIL.includes(command))
        return { outcome: 'refused', code: responseCode };
      throw new MailUnavailable(
        signal.aborted ? 'ETIMEDOUT' : String(responseCode ?? originalCode ?? code ?? 'unknown'),
      );
    }
  }
}
