import { createTransport } from 'nodemailer';
import type { SmtpAddress } from '../config/smtp-url';
import { type Mail, type MailOutcome, type MailTransport, MailUnavailable } from './mail-transport';
import { oneLine } from './one-line';

export interface SmtpOptions {
  /** `address` or `Name <address>`. */
  readonly from: string;
  /** For the whole delivery of one e-mail. */
  readonly timeoutMs: number;
}

/** The members of nodemailer's errors that contain no address. Their messages and responses may contain one. */
interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/** Exactly one address, without characters that have a meaning in a header or an SMTP command. */
const ADDRESS = /^[^\s<>@,;:"()\\\p{C}]{1,64}@[^\s<>@,;"()\\\p{C}]{1,255}$/u;
const MESSAGE_ID = /^<[\w.+-]+@[\w.-]+>$/;
const INVALID_ADDRESS_CODE = 553;
const MAX_SUBJECT_LENGTH = 200;

/** Commands whose 5xx reply refuses this e-mail. A 5xx reply to an earlier command is a problem for the operator. */
const MAIL_COMMANDS = ['RCPT TO', 'DATA'];

/** Sends each e-mail over a new connection. E-mails are rare, and a pooled connection could be stale. */
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
      // These limit each step. The signal in send() limits all steps together.
      connectionTimeout: options.timeoutMs,
      greetingTimeout: options.timeoutMs,
      socketTimeout: options.timeoutMs,
      dnsTimeout: options.timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ to, subject, text, messageId }: Mail): Promise<MailOutcome> {
    if (!MESSAGE_ID.test(messageId)) throw new TypeError('A message id must have the form <left@right>.');
    if (!ADDRESS.test(to)) return { outcome: 'refused', code: INVALID_ADDRESS_CODE };
    const signal = AbortSignal.timeout(this.options.timeoutMs);
    try {
      await this.transporter.sendMail({
        from: this.options.from,
        to: { name: '', address: to },
        subject: oneLine(subject, MAX_SUBJECT_LENGTH),
        text,
        messageId,
        // Suppresses automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      });
      return { outcome: 'sent' };
    } catch (error) {
      const { permanent, command = '', responseCode, originalCode, code } = error as SmtpError;
      if (permanent && responseCode && MAIL_COMMANDS.includes(command))
        return { outcome: 'refused', code: responseCode };
      throw new MailUnavailable(
        signal.aborted ? 'ETIMEDOUT' : String(responseCode ?? originalCode ?? code ?? 'unknown'),
      );
    }
  }
}
