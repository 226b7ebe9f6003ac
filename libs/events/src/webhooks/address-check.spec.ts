import { isPermittedAddress } from './address-check';

describe('webhooks are sent to', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '169.253.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    // Other forms of a public IPv4 address.
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('the public address %s', (address) => {
    expect(isPermittedAddress(address)).toBe(true);
  });
});

describe('webhooks are not sent to', () => {
  it.each([
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['link-local', '169.254.0.1', 'fe80::1', 'febf::1'],
    ['metadata', '169.254.169.254', 'fd00:ec2::254', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
    ['unique local', 'fc00::1', 'fdff:ffff::1'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
    ['broadcast', '255.255.255.255'],
    ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmark', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['reserved', '192.0.0.1', '192.88.99.1', '240.0.0.1', '254.1.1.1', '4000::1', '100::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:168.63.129.16'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['IPv4-compatible', '::127.0.0.1', '::a00:1', '::8.8.8.8'],
    ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
    ['scoped', 'fe80::1%eth0', '2606:4700:4700::1111%eth0'],
    ['malformed', '', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '1.2.3.4.5'],
  ])('%s addresses', (_kind, ...addresses) => {
    expect(addresses.filter((address) => isPermittedAddress(address))).toEqual([]);
  });
});

describe('an allowed network', () => {
  it('permits its addresses and no others', () => {
    const allowed = ['10.20.0.0/16', '127.0.0.1', 'fd12:3456::/32'];
    for (const address of ['10.20.0.1', '10.20.255.255', '127.0.0.1', 'fd12:3456::1', '8.8.8.8'])
      expect([address, isPermittedAddress(address, allowed)]).toEqual([address, true]);
    for (const address of ['10.21.0.1', '127.0.0.2', 'fd12:3457::1', '::1', '192.168.0.1'])
      expect([address, isPermittedAddress(address, allowed)]).toEqual([address, false]);
  });

  it('permits the mapped and NAT64 forms of its addresses', () => {
    expect(isPermittedAddress('::ffff:10.20.0.1', ['10.20.0.0/16'])).toBe(true);
    expect(isPermittedAddress('64:ff9b::10.20.0.1', ['10.20.0.0/16'])).toBe(true);
    expect(isPermittedAddress('::ffff:10.21.0.1', ['10.20.0.0/16'])).toBe(false);
  });
});
