/** Injection token of the {@link MailTransport}. The injected value is undefined without SMTP_URL. */
export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

/** One e-mail in plain text. */
export interface Mail {
  /** One address without a display name. */
  readonly to: string;
  readonly subject: string;
  /** Plain text, lines separated by `\n`. */
  readonly text: string;
  /** `<left@right>`, the same for every attempt, so that duplicates can be recognised. */
  readonly messageId: string;
}

/** The final result of an attempt. */
export type MailOutcome =
  | { readonly outcome: 'sent' }
  /** A permanent refusal of the recipient or the message. `code` is the SMTP reply code; 553 for an invalid address. */
  | { readonly outcome: 'refused'; readonly code: number };

/** The port of the mail server. If the last reply is lost, a retry delivers the e-mail twice with the same Message-ID. */
export interface MailTransport {
  /** @throws MailUnavailable if a retry may succeed */
  send(mail: Mail): Promise<MailOutcome>;
}

/**
 * The mail server could not be reached, timed out, replied with a temporary error (4xx), or refused the login, TLS or
 * the sender. The error contains no address: `reason` is an SMTP reply code or a code such as ECONNREFUSED, ETIMEDOUT,
 * EAUTH.
 */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
  readonly code = 'unavailable';

  constructor(readonly reason: string) {
    super(`The mail server is unavailable (${reason}).`);
  }
}
