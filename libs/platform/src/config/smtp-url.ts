import { EnvError, makeValidator } from 'envalid';
import { booleanParameter, decodePart, requireKnownParameters } from './url-parts';

/** The parsed SMTP_URL. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps://). If false, STARTTLS is used if the server offers it. */
  readonly implicitTls: boolean;
  /** Sends no e-mail and no login without STARTTLS. */
  readonly requireTls: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

const FORMS =
  'must be smtp://host:port or smtps://host:port, with user:password@ before the host if the server requires a login';
const LOGIN = 'user name and password';

export const smtpUrl = makeValidator<SmtpAddress>((text) => {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) throw new EnvError(FORMS);
  const url = new URL(text);
  if (!url.hostname || url.hash || !['', '/'].includes(url.pathname)) throw new EnvError(FORMS);
  requireKnownParameters(url, ['requireTLS']);
  if ((url.username === '') !== (url.password === '')) throw new EnvError(FORMS);
  const implicitTls = url.protocol === 'smtps:';
  const credentials = url.username
    ? { user: decodePart(url.username, LOGIN), password: decodePart(url.password, LOGIN) }
    : undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (implicitTls ? 465 : 587)),
    implicitTls,
    requireTls: booleanParameter(url, 'requireTLS') ?? credentials !== undefined,
    credentials,
  };
});

const ADDRESS = String.raw`[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;:"\p{Cc}]+`;
const SENDER = new RegExp(String.raw`^(?:${ADDRESS}|[^<>@,;:"\p{Cc}]+ <${ADDRESS}>)$`, 'u');

export const mailSender = makeValidator<string>((text) => {
  if (!SENDER.test(text)) throw new EnvError('must be an address such as a@b.example or Name <a@b.example>');
  return text;
});
