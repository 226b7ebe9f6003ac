import { PortageError } from '@portage/platform';
import { HostCheck } from './host-check';

interface Sent {
  host?: string;
  /** The name that a trusted proxy forwarded. */
  forwarded?: string;
  rawHeaders?: string[];
}

const codeOf = (publicHosts: string[] | undefined, { host, forwarded, rawHeaders = [] }: Sent) =>
  new HostCheck({ PUBLIC_HOSTS: publicHosts }).refusalOf({
    headers: host === undefined ? {} : { host },
    host: forwarded ?? host ?? '',
    raw: { rawHeaders },
  })?.code;

describe('without PUBLIC_HOSTS', () => {
  it.each([
    '127.0.0.1:3000',
    '10.42.0.17',
    '[::1]:3000',
    '[fd00::1]',
    'localhost:3000',
    'LOCALHOST.',
    'board.localhost:3000',
    'api:3000',
    'portage-api',
    '',
  ])('the host %j is accepted', (host) => {
    expect(codeOf(undefined, { host })).toBeUndefined();
  });

  it('a request of HTTP/1.0 without a host is accepted', () => {
    expect(codeOf(undefined, {})).toBeUndefined();
  });

  it.each([
    'evil.example:3000',
    'evil.example.',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example:80:80',
    'user@evil.example',
    '[evil.example]',
  ])('the host %j is refused, because a web page may have that name', (host) => {
    expect(codeOf(undefined, { host })).toBe('forbidden');
  });
});

describe('with PUBLIC_HOSTS', () => {
  const hosts = ['portage.example.com', '*.internal.example.com'];

  it.each([
    'portage.example.com',
    'Portage.Example.com:443',
    'a.internal.example.com',
    'a.b.internal.example.com',
    '10.0.0.1',
  ])('the host %j is accepted', (host) => {
    expect(codeOf(hosts, { host })).toBeUndefined();
  });

  it.each([
    'example.com',
    'other.example.com',
    'internal.example.com',
    'xportage.example.com',
    'evil.example',
  ])('the host %j is refused', (host) => {
    expect(codeOf(hosts, { host })).toBe('forbidden');
  });

  it('the name that a proxy forwards must be public as well as the Host header, which a page cannot set', () => {
    expect(codeOf(hosts, { host: '10.0.0.1', forwarded: 'portage.example.com' })).toBeUndefined();
    expect(codeOf(hosts, { host: '10.0.0.1', forwarded: 'evil.example' })).toBe('forbidden');
    expect(codeOf(hosts, { host: 'evil.example', forwarded: 'localhost' })).toBe('forbidden');
  });

  it('a host that was accepted before does not make another one acceptable', () => {
    const check = new HostCheck({ PUBLIC_HOSTS: hosts });
    const refusal = (host: string) => check.refusalOf({ headers: { host }, host, raw: { rawHeaders: [] } });
    expect(refusal('portage.example.com')).toBeUndefined();
    expect(refusal('evil.example')).toBeInstanceOf(PortageError);
    expect(refusal('portage.example.com')).toBeUndefined();
  });
});

it('two Host headers are refused, whatever their case and value', () => {
  const rawHeaders = ['Host', 'localhost', 'Accept', '*/*', 'hOST', 'localhost'];
  expect(codeOf(undefined, { host: 'localhost', rawHeaders })).toBe('parse_error');
  expect(codeOf(undefined, { host: 'localhost', rawHeaders: rawHeaders.slice(0, 4) })).toBeUndefined();
});
