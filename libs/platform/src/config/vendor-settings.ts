import { EnvError, makeValidator } from 'envalid';

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** Base URL of a vendor's API. Every request carries the key, so plain HTTP is allowed only on the loopback interface. */
export const vendorBase = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isEncrypted = url?.protocol === 'https:';
  const isLocal = url?.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
  if (!url || !(isEncrypted || isLocal) || url.username || url.password || url.search || url.hash)
    throw new EnvError('must be an https:// URL, or an http:// URL of 127.0.0.1 or localhost');
  return text;
});

/** A key that is sent in a header. A copied line break would make every request fail. */
export const vendorKey = makeValidator<string>((text) => {
  if (!/^[!-~]{8,}$/.test(text))
    throw new EnvError('must be at least 8 characters of printable ASCII, without spaces or line breaks');
  return text;
});
