import { EnvError, makeValidator } from 'envalid';
import { onlyParameters, trueOrFalse } from './url-parts';

/** The mail server, as SMTP_URL says. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps://). Without it: STARTTLS where the server offers it. */
  readonly implicitTls: boolean;
  /** Sends nothing before STARTTLS. */
  readonly requireTls: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
}

const FORMS = 'must be smtp://host:port or smtps://host:port, with user:password@ before the host if need be';

export const smtpUrl = makeValidator<SmtpAddress>((text) => {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) throw new EnvError(FORMS);
  const url = new URL(text);
  if (!url.hostname || url.hash || !['', '/'].includes(url.pathname)) throw new EnvError(FORMS);
  onlyParameters(url, ['requireTLS']);
  if ((url.username === '') !== (url.password === '')) throw new EnvError(FORMS);
  const implicitTls = url.protocol === 'smtps:';
  const credentials = url.username
    ? { user: decoded(url.username), password: decoded(url.password) }
    : undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (implicitTls ? 465 : 587)),
    implicitTls,
    requireTls: trueOrFalse(url, 'requireTLS') ?? credentials !== undefined,
    credentials,
  };
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new EnvError('must have user name and password percent-encoded');
  }
}

const ADDRESS = String.raw`[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;:"\p{Cc}]+`;
const SENDER = new RegExp(String.raw`^(?:${ADDRESS}|[^<>@,;:"\p{Cc}]+ <${ADDRESS}>)$`, 'u');

export const mailSender = makeValidator<string>((text) => {
  if (!SENDER.test(text)) throw new EnvError('must be an address such as a@b.example or Name <a@b.example>');
  return text;
});
