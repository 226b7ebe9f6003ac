import { asNextPage } from './next-page';

describe('the page to go to after a login', () => {
  it.each([
    ['/console', '/console'],
    ['/console/', '/console/'],
    [
      '/console/suppliers/A/processes?status=ERRORED#end',
      '/console/suppliers/A/processes?status=ERRORED#end',
    ],
    ['/queues/queue/emails?status=failed', '/queues/queue/emails?status=failed'],
    ['/console/../queues', '/queues'],
    ['/console/suppliers/a%2Fb', '/console/suppliers/a%2Fb'],
    ['/console/?next=//host', '/console/?next=//host'],
  ])('%j is %j', (value, page) => {
    expect(asNextPage(value)).toBe(page);
  });

  it.each([
    '/\t/host',
    '/\n/host',
    '/\r\n/host/console/',
    '\t//host',
    '//host',
    '//host/console/',
    '///host',
    '\\\\host',
    '/\\host',
    '\\/host',
    '/\t\\host/console',
    '/%09/host',
    '/%5C/host',
    '/%2F/host',
    '/.//host',
    '/..//host',
    '/console/..//host',
    '/console/../\\host',
    '/console/.\t.//host',
    '/consoles/',
    '/console\u0000/',
    '/operator/v1/session',
    'console/',
    'host',
    'https://host/console/',
    'https:/console/',
    'https:host',
    'https://portage.invalid/console/',
    '//portage.invalid:8443/console/',
    '//user@portage.invalid:1/console/',
    'javascript:alert(1)',
    'data:text/html,x',
    ' //host',
    '\u0000//host',
    '/ /host',
    '//[',
    '',
    undefined,
    1,
    ['/console/'],
  ])('is none for %j', (value) => {
    expect(asNextPage(value)).toBeUndefined();
  });
});
