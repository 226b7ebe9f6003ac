import { load as loadSettings } from '@portage/testing/settings';
import { ConfigError } from './config';

const load = (TRUSTED_PROXIES: string) => loadSettings({ TRUSTED_PROXIES }).TRUSTED_PROXIES;

it('no proxy is trusted by default', () => {
  expect(load('')).toBeUndefined();
});

it.each([
  ['10.0.0.7', ['10.0.0.7']],
  ['10.0.0.0/8, 2001:db8::/32 ,loopback', ['10.0.0.0/8', '2001:db8::/32', 'loopback']],
  ['::1/128', ['::1/128']],
  ['linklocal,uniquelocal', ['linklocal', 'uniquelocal']],
])('%s is trusted', (text, proxies) => {
  expect(load(text)).toEqual(proxies);
});

it.each([
  'true',
  '1',
  '*',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.7,',
  'proxy.example',
])('%s is refused, because it is invalid or would let every client forge its address', (text) => {
  expect(() => load(text)).toThrow(ConfigError);
});
