import { EnvError, makeValidator } from 'envalid';

const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]'];

/** Where a vendor's API is. Its key travels with every request, so only this machine is asked without TLS. */
export const vendorBase = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const encrypted = url?.protocol === 'https:';
  const local = url?.protocol === 'http:' && THIS_MACHINE.includes(url.hostname);
  if (!url || !(encrypted || local) || url.username || url.password || url.search || url.hash)
    throw new EnvError('must be an https:// address, or an http:// one of 127.0.0.1 or localhost');
  return text;
});

/** A key that goes into a header: a line break that came along with it would make every request fail. */
export const vendorKey = makeValidator<string>((text) => {
  if (!/^[!-~]{8,}$/.test(text))
    throw new EnvError('must be at least 8 characters of printable ASCII, without spaces or line breaks');
  return text;
});
