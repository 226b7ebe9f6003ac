import { EnvError, makeValidator } from 'envalid';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The URL of an OpenID provider: https, or http on this machine, where no other machine can read the requests. */
export const providerUrl = makeValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!isSafe || url.search !== '' || url.hash !== '')
    throw new EnvError(
      'must be a URL that starts with https://, or with http:// and the name of this machine',
    );
  return text;
});
