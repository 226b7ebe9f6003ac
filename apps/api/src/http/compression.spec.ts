import { acceptsGzip } from './compression';

describe('a client accepts gzip', () => {
  it.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'deflate, gzip',
    'br;q=1, gzip;q=0.5',
    '*',
    'gzip; q=1',
    'identity;q=0, *;q=0.1',
  ])('a client with the header %s accepts gzip', (header) => {
    expect(acceptsGzip(header)).toBe(true);
  });

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.0, *', 'gzip;q=x', '*;q=0'])(
    'not with the header %s',
    (header) => {
      expect(acceptsGzip(header)).toBe(false);
    },
  );
});
