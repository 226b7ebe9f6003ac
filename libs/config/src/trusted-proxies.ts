import { isIP } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

/** Names that Fastify knows for networks nobody else can send from. */
const NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** Proxies whose `X-Forwarded-For` is believed: addresses, networks as address/bits, or one of {@link NAMES}. */
export const trustedProxies = makeValidator<readonly string[]>((text) => {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  if (!proxies.every(isProxy))
    throw new EnvError(
      `must be addresses, networks such as 10.0.0.0/8, or ${NAMES.join(', ')}, separated by commas`,
    );
  return proxies;
});

function isProxy(text: string): boolean {
  if (NAMES.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of everybody would let anybody say who he is.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
