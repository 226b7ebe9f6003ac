import { isIPv6 } from 'node:net';

/**
 * The network that a limit by address applies to: the IPv4 address itself, in any notation, or the /64 network of an
 * IPv6 address, because one client usually controls all addresses of a /64. Other text is cut to 64 characters.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%');
  if (!isIPv6(bare)) return bare.slice(0, 64);
  const groups = parseGroups(new URL(`http://[${bare}]/`).hostname.slice(1, -1));
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isIPv4) return `${groups.slice(0, 4).map(toHexadecimal).join(':')}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The eight groups of an address as URLs write it: hexadecimal, with at most one `::`. */
function parseGroups(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

function toHexadecimal(group: number): string {
  return group.toString(16);
}
