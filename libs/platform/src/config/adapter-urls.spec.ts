import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { load, problemsOf } from '@portage/testing/settings';

const problemOf = (variable: string, value: string) => problemsOf({ [variable]: value })[variable];

describe('DOCUMENT_STORE_URL', () => {
  const amazon = {
    kind: 's3',
    bucket: 'b-1',
    region: 'eu-west-2',
    endpoint: undefined,
    forcePathStyle: false,
  };

  it.each([
    ['file:///srv/documents', { kind: 'folder', directory: '/srv/documents' }],
    ['file:///srv/two%20words', { kind: 'folder', directory: '/srv/two words' }],
    ['s3://b-1?region=eu-west-2', amazon],
    ['s3://b-1/?region=eu-west-2&forcePathStyle=false', amazon],
    [
      's3://b-1?endpoint=http://127.0.0.1:9000&forcePathStyle=true',
      { ...amazon, region: 'us-east-1', endpoint: 'http://127.0.0.1:9000', forcePathStyle: true },
    ],
    [
      's3://b-1?region=eu-west-2&endpoint=https%3A%2F%2Fstore.example',
      { ...amazon, endpoint: 'https://store.example' },
    ],
  ])('%s is parsed', (url, address) => {
    expect(load({ DOCUMENT_STORE_URL: url }).DOCUMENT_STORE_URL).toEqual(address);
  });

  it('is undefined by default', () => {
    expect(load({}).DOCUMENT_STORE_URL).toBeUndefined();
  });

  it.each([
    ['/srv/documents', /^must be file:/],
    ['file://srv/documents', /^must be file:/],
    ['file:srv', /^must be file:/],
    ['file:///srv%2Fdocuments', /^must be file:/],
    ['file:///srv%00', /^must be file:/],
    ['file:///', /not the whole file system/],
    ['file:///srv?region=x', /no parameters/],
    ['http://bucket', /^must be file:/],
    ['s3://bucket/folder?region=eu-west-2', /^must be file:/],
    ['s3://bucket:9000?region=eu-west-2', /^must be file:/],
    ['s3://UPPER?region=eu-west-2', /^must be file:/],
    ['s3://?region=eu-west-2', /^must be file:/],
    ['s3://bucket', /must name the region/],
    ['s3://bucket?region=eu%20west', /must name the region/],
    ['s3://bucket?region=eu-west-2&regoin=x', /no parameters but region, endpoint, forcePathStyle/],
    ['s3://bucket?region=eu-west-2&region=x', /each once/],
    ['s3://bucket?endpoint=ftp://store', /endpoint/],
    ['s3://bucket?endpoint=http://key:secret@store', /endpoint/],
    ['s3://bucket?region=eu-west-2&forcePathStyle=yes', /true or false/],
  ])('%s is refused', (url, problem) => {
    expect(problemOf('DOCUMENT_STORE_URL', url)).toMatch(problem);
  });

  it.each(['s3://AKIA:hunter2@bucket?region=eu-west-2', 's3://AKIA@bucket?region=eu-west-2'])(
    'credentials in it are refused; the error names the right variables and does not repeat the credentials',
    (url) => {
      const problem = problemOf('DOCUMENT_STORE_URL', url);
      expect(problem).toMatch(/AWS_ACCESS_KEY_ID/);
      expect(problem).not.toMatch(/hunter2|AKIA/);
    },
  );
});

describe('SMTP_URL', () => {
  const plain = {
    host: 'mail.example',
    port: 587,
    implicitTls: false,
    requireTls: false,
    credentials: undefined,
  };
  const credentials = { user: 'portage', password: 'p@ss' };

  it.each([
    ['smtp://mail.example', plain],
    ['smtp://mail.example:25/', { ...plain, port: 25 }],
    ['smtp://[::1]:25', { ...plain, host: '::1', port: 25 }],
    ['smtp://mail.example?requireTLS=true', { ...plain, requireTls: true }],
    ['smtps://mail.example', { ...plain, port: 465, implicitTls: true }],
    ['smtp://portage:p%40ss@mail.example', { ...plain, requireTls: true, credentials }],
    ['smtp://portage:p%40ss@mail.example?requireTLS=false', { ...plain, credentials }],
  ])('%s is parsed', (url, address) => {
    expect(load({ SMTP_URL: url }).SMTP_URL).toEqual(address);
  });

  it.each([
    ['http://mail.example', /^must be smtp:/],
    ['smtp:mail.example', /^must be smtp:/],
    ['smtp://', /^must be smtp:/],
    ['smtp://mail.example/inbox', /^must be smtp:/],
    ['smtp://user@mail.example', /^must be smtp:/],
    ['smtp://user:%ff@mail.example', /percent-encoded/],
    ['smtp://mail.example?pool=true', /no parameters but requireTLS/],
    ['smtp://mail.example?requireTLS=maybe', /true or false/],
  ])('%s is refused', (url, problem) => {
    expect(problemOf('SMTP_URL', url)).toMatch(problem);
  });
});

describe('MAIL_FROM', () => {
  it.each(['no-reply@supplier.example', 'Portage <no-reply@supplier.example>', 'Überland <a@b.example>'])(
    'may be %s',
    (sender) => {
      expect(load({ MAIL_FROM: sender }).MAIL_FROM).toBe(sender);
    },
  );

  it.each([
    'nobody',
    'a@b, c@d',
    'Name <a@b',
    'a@b\r\nBcc: c@d',
    'One, Two <a@b>',
    '"Q" <a@b>',
    'A\nB <a@b>',
  ])('may not be %j', (sender) => {
    expect(problemOf('MAIL_FROM', sender)).toMatch(/must be an address/);
  });
});

describe('REDIS_URL', () => {
  const server = {
    kind: 'server',
    hosts: [{ host: 'cache', port: 6379 }],
    login: undefined,
    tls: undefined,
    database: 0,
  };
  const login = { username: 'portage', password: 'p@ss' };
  const hosts = [
    { host: 's1', port: 26379 },
    { host: '::1', port: 26380 },
  ];

  it.each([
    ['redis://cache', server],
    ['redis://cache:6380/2', { ...server, hosts: [{ host: 'cache', port: 6380 }], database: 2 }],
    ['redis://portage:p%40ss@cache', { ...server, login }],
    ['rediss://:p%40ss@cache/', { ...server, login: { ...login, username: undefined }, tls: {} }],
    [
      'redis+sentinel://s1,[::1]:26380/mymaster',
      { ...server, kind: 'sentinel', hosts, primary: 'mymaster', sentinelLogin: undefined },
    ],
    [
      'rediss+sentinel://portage:p%40ss@s1,[::1]:26380/my%20master/3?sentinel_username=portage&sentinel_password=p%40ss',
      {
        kind: 'sentinel',
        hosts,
        login,
        tls: {},
        database: 3,
        primary: 'my master',
        sentinelLogin: login,
      },
    ],
    [
      'redis+cluster://n1:7000,n2:7001/',
      {
        kind: 'cluster',
        login: undefined,
        tls: undefined,
        hosts: [
          { host: 'n1', port: 7000 },
          { host: 'n2', port: 7001 },
        ],
      },
    ],
  ])('%s is parsed', (url, address) => {
    expect(load({ REDIS_URL: url }).REDIS_URL).toEqual(address);
  });

  it('certificates are read from their files', () => {
    const directory = newDirectory();
    const file = join(directory, 'ca.pem');
    const pem = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
    writeFileSync(file, pem);
    expect(load({ REDIS_URL: `rediss+cluster://n1?sslrootcert=${file}` }).REDIS_URL).toMatchObject({
      tls: { ca: pem },
    });
  });

  it.each([
    ['redis:cache', /^must be a URL that starts with redis:/],
    ['redis://', /^must be a URL that starts with redis:/],
    ['redis://cache:70000', /^must be a URL that starts with redis:/],
    ['redis://cache/first', /^must be a URL that starts with redis:/],
    ['redis+sentinal://s1/mymaster', /^must be a URL that starts with redis:/],
    ['redis://cache,cache2', /one host, or start with redis\+sentinel:/],
    ['redis://portage@cache', /user:password@/],
    ['redis://portage:%ff@cache', /percent-encoded/],
    ['redis://cache?familiy=6', /no parameters but sslrootcert, sslcert, sslkey, each once/],
    ['redis://cache?sslrootcert=/ca.pem', /must start with rediss/],
    [
      'rediss://cache?sslrootcert=/nowhere/ca.pem',
      /^must name as sslrootcert a readable file in PEM format$/,
    ],
    ['rediss://cache?sslrootcert=/etc/hostname', /^must name as sslrootcert a readable file in PEM format$/],
    ['rediss://cache?sslcert=/etc/hostname', /sslcert and sslkey together/],
    ['redis+sentinel://s1', /must name the primary/],
    ['redis+sentinel://s1/mymaster?sentinel_username=portage', /sentinel_password/],
    ['redis+cluster://n1?sentinel_password=x', /no parameters but/],
    ['redis+cluster://n1/2', /must name no database/],
  ])('%s is refused', (url, problem) => {
    expect(problemOf('REDIS_URL', url)).toMatch(problem);
  });
});
