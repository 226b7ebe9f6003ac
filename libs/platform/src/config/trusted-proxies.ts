import { isIP } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

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
  if (NETWORK_NAMES.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of all addresses would let every client forge its address.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
