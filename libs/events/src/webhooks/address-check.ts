import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Networks that the operator allows, as `address/bits`. */
export type AllowedNetworks = readonly string[];

/** Addresses of cloud metadata services that are inside of public ranges. The others are in refused ranges anyway. */
const METADATA_ADDRESSES = [
  // Azure: also DNS and health probes of the virtual network.
  '168.63.129.16',
];

/** The addresses that the IPv6 internet uses. All other IPv6 addresses are refused. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The well-known prefix under which NAT64 translates to IPv4 (RFC 6052). Its last 32 bits are the IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True if webhooks may be sent to an IP address: it is public, or in one of the allowed networks. Not public are
 * private, loopback, link-local, multicast, unique local, unspecified, broadcast, carrier-grade NAT, documentation,
 * benchmark and reserved ranges, the addresses of metadata services, and 6to4, Teredo and IPv4-compatible addresses.
 * IPv4-mapped and NAT64 addresses are judged by the IPv4 address that they stand for.
 */
export function isPermittedAddress(address: string, allowed: AllowedNetworks = []): boolean {
  // A scope names an interface of this host.
  if (isIP(address) === 0 || address.includes('%')) return false;
  return reachedAddresses(parse(address)).some(
    (one, _index, all) =>
      allowed.some((network) => isInNetwork(one, network)) || (one === all.at(-1) && isPublic(one)),
  );
}

/** Parses an address. In dotted notation ipaddr.js takes IPv4-compatible addresses (::1.2.3.4) for IPv4-mapped ones. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return ipaddr.parse(isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);
}

/** The address, and the IPv4 address that packets to it reach if it is another form of one. */
function reachedAddresses(address: ipaddr.IPv4 | ipaddr.IPv6): (ipaddr.IPv4 | ipaddr.IPv6)[] {
  if (!(address instanceof ipaddr.IPv6)) return [address];
  if (address.isIPv4MappedAddress()) return [address, address.toIPv4Address()];
  if (address.match(NAT64)) return [address, new ipaddr.IPv4(address.toByteArray().slice(12))];
  return [address];
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6
    ? address.match(GLOBAL_UNICAST)
    : !METADATA_ADDRESSES.includes(address.toString());
}

function isInNetwork(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base = '', bits] = network.split('/');
  const parsed = ipaddr.parse(base);
  if (parsed.kind() !== address.kind()) return false;
  return address.match(parsed, bits === undefined ? (parsed.kind() === 'ipv4' ? 32 : 128) : Number(bits));
}
