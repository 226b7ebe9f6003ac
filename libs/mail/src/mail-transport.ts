/** Injection token of the {@link MailTransport}; what is injected is undefined where there is no SMTP_URL. */
export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export interface Mail {
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  /** Plain text, lines separated by `\n`. */
  readonly text: string;
  /** `<left@right>`, the same each time this mail is sent, so that a second copy can be told. */
  readonly messageId: string;
}

export type MailOutcome =
  | { readonly outcome: 'sent' }
  /** For good: this recipient or this message. `code` is the SMTP reply, 553 for what is no address at all. */
  | { readonly outcome: 'refused'; readonly code: number };

/** Hands mails over one by one. A mail whose last answer got lost may arrive twice, with the same Message-ID. */
export interface MailTransport {
  /** @throws MailUnavailable when it may help to try again later */
  send(mail: Mail): Promise<MailOutcome>;
}

/**
 * The mail server could not be reached, did not answer in time, put us off (4xx), or refuses us rather than the mail:
 * login, TLS, sender. Holds no address: `reason` is an SMTP reply or a code such as ECONNREFUSED, ETIMEDOUT, EAUTH.
 */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
  readonly code = 'unavailable';

  constructor(readonly reason: string) {
    super(`The mail server does not take mail now (${reason}).`);
  }
}
