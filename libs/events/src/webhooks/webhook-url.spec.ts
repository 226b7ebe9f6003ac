import { checkWebhookUrl } from './webhook-url';

const STRICT: Parameters<typeof checkWebhookUrl>[1] = {
  WEBHOOK_ALLOW_HTTP: false,
  WEBHOOK_ALLOWED_NETWORKS: undefined,
};

const problemOf = (text: string, settings = STRICT) => {
  const checked = checkWebhookUrl(text, settings);
  return 'problem' in checked ? checked.problem : undefined;
};

it.each([
  'https://example.com/webhooks',
  'https://example.com:443/',
  'https://example.com:8443/hooks?source=portage',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]:1024/',
])('%s may be an endpoint', (text) => {
  expect(problemOf(text)).toBeUndefined();
});

it.each([
  ['http://example.com/', 'https://'],
  ['ftp://example.com/', 'a URL such as'],
  ['file:///etc/passwd', 'a URL such as'],
  ['gopher://example.com/', 'a URL such as'],
  ['//example.com/', 'a URL such as'],
  ['example.com', 'a URL such as'],
  ['https://', 'a URL such as'],
  ['', 'a URL such as'],
  ['https://user:password@example.com/', 'without user name'],
  ['https://user@example.com/', 'without user name'],
  ['https://:password@example.com/', 'without user name'],
  ['https://example.com/#fragment', 'without #'],
  ['https://example.com:22/', 'port 443'],
  ['https://example.com:25/', 'port 443'],
  ['https://example.com:80/', 'port 443'],
  ['https://example.com:0/', 'port 443'],
  ['https://example.com:1023/', 'port 443'],
  ['https://example.com:65536/', 'a URL such as'],
  [`https://example.com/${'a'.repeat(2_048)}`, 'at most 2048'],
])('%s may not be an endpoint', (text, problem) => {
  expect(problemOf(text)).toContain(problem);
});

it.each([
  ['dotted', 'https://127.0.0.1/'],
  ['decimal', 'https://2130706433/'],
  ['octal', 'https://0177.0.0.1/'],
  ['octal, long', 'https://00000000000000000177.1/'],
  ['hexadecimal', 'https://0x7f000001/'],
  ['hexadecimal, dotted', 'https://0x7f.0x0.0x0.0x1/'],
  ['short', 'https://127.1/'],
  ['with a dot at the end', 'https://127.0.0.1./'],
  ['in full-width digits', 'https://１２７.０.０.１/'],
  ['percent-encoded', 'https://%31%32%37.0.0.1/'],
  ['zero', 'https://0/'],
  ['of metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['of metadata, decimal', 'https://2852039166/'],
  ['private', 'https://192.168.0.1:8443/'],
  ['IPv6', 'https://[::1]/'],
  ['IPv6, long', 'https://[0:0:0:0:0:0:0:1]/'],
  ['IPv6, unspecified', 'https://[::]/'],
  ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped, hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['IPv4-compatible', 'https://[::127.0.0.1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['unique local', 'https://[fd00:ec2::254]/'],
])('an address that is not public is refused in the notation "%s": %s', (_notation, text) => {
  expect(problemOf(text)).toContain('public host name');
});

it('http is accepted with the setting, also on port 80', () => {
  const settings = { ...STRICT, WEBHOOK_ALLOW_HTTP: true };
  expect(problemOf('http://example.com/', settings)).toBeUndefined();
  expect(problemOf('http://example.com:80/', settings)).toBeUndefined();
  expect(problemOf('http://example.com:81/', settings)).toContain('port 443');
});

it('an address of an allowed network is accepted', () => {
  const settings = { ...STRICT, WEBHOOK_ALLOWED_NETWORKS: ['127.0.0.1/32'] };
  expect(problemOf('https://127.0.0.1:9000/', settings)).toBeUndefined();
  expect(problemOf('https://0x7f000001:9000/', settings)).toBeUndefined();
  expect(problemOf('https://127.0.0.2:9000/', settings)).toContain('public host name');
});
