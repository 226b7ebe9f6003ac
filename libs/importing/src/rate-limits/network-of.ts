import { isIPv6 } from 'node:net';

/**
 * Whom a limit by address is for: an IPv4 address itself, however it is written, and of an IPv6 address the /64
 * network, because whoever has one address there has all.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.toLowerCase().split('%');
  if (!isIPv6(bare)) return bare.slice(0, 64);
  const groups = groupsOf(new URL(`http://[${bare}]/`).hostname.slice(1, -1));
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isIPv4) return `${groups.slice(0, 4).map(hexadecimal).join(':')}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** The eight groups of an address as URLs write it: hexadecimal only, shortened at most once. */
function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const leftOut = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...leftOut, ...tail].map((group) => Number.parseInt(group, 16));
}

function hexadecimal(group: number): string {
  return group.toString(16);
}
