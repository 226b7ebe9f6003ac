import { isIP } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

/** Networks as address/bits, separated by commas. An address alone is the network of that address. */
export const networks = makeValidator<readonly string[]>((text) => {
  const list = text.split(',').map((network) => network.trim());
  if (!list.every(isNetwork))
    throw new EnvError(
      'must be addresses or networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas',
    );
  return list;
});

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  // A network of all addresses would allow the operator's own network without naming it.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
