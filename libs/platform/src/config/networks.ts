import { isIP } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

/** Networks as address/bits, separated by commas. An address alone is the network of that address. */
export const networks = makeValidator<readonly string[]>((text) => {
  const list = text.split(',').map((network) => network.trim());
  if (!list.every((network) => isNetwork(network) && !network.includes('%')))
    throw new EnvError(
      'must be addresses or networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas',
    );
  return list;
});

/** True for an address, or address/bits. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  // A network of all addresses would name none: it would allow the operator's own, or let every client forge its address.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
