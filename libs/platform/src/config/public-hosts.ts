import { EnvError, makeValidator } from 'envalid';

const LABEL = '(?!-)[a-z0-9-]{1,63}(?<!-)';
const HOST_NAME = new RegExp(`^${LABEL}(\\.${LABEL})+$`);

/** Host names in lower case. */
export const publicHosts = makeValidator<readonly string[]>((text) => {
  const hosts = text.split(',').map((host) => host.trim().toLowerCase());
  if (!hosts.every((host) => HOST_NAME.test(host)))
    throw new EnvError('must be host names such as portage.example.com, without port, separated by commas');
  return hosts;
});
