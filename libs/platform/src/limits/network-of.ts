import { isIPv6 } from 'node:net';
import { IPv6 } from 'ipaddr.js';

/**
 * The network that a limit by address applies to: the IPv4 address itself, in any notation, or the /64 network of an
 * IPv6 address, because one client usually controls all addresses of a /64. Other text is cut to 64 characters.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%');
  if (!isIPv6(bare)) return bare.slice(0, 64);
  // In dotted notation ipaddr.js takes IPv4-compatible addresses (::1.2.3.4) for IPv4-mapped ones.
  const parsed = IPv6.parse(new URL(`http://[${bare}]/`).hostname.slice(1, -1));
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
