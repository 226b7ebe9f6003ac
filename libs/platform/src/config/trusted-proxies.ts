import { EnvError, makeValidator } from 'envalid';
import { isNetwork } from './networks';

/** Fastify's names for networks that are not reachable from the internet. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Proxies whose `X-Forwarded-For` is trusted: addresses, networks as address/bits, or one of {@link NETWORK_NAMES}. */
export const trustedProxies = makeValidator<readonly string[]>((text) => {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (!proxies.every(isProxy))
    throw new EnvError(
      `must be addresses, networks such as 10.0.0.0/8, or ${NETWORK_NAMES.join(', ')}, separated by commas`,
    );
  return proxies;
});

function isProxy(text: string): boolean {
  return NETWORK_NAMES.includes(text) || isNetwork(text);
}
