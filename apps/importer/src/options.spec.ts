import { parseOptions } from './options';
import { UsageError } from './usage-error';

const given = ['--file', 'book.ndjson', '--base-url', 'http://127.0.0.1:3000', '--api-key', 'key'];

it('has defaults for all options except book, URL and key', () => {
  expect(parseOptions(given, undefined)).toEqual({
    file: 'book.ndjson',
    afterImport: undefined,
    baseUrl: new URL('http://127.0.0.1:3000'),
    apiKey: 'key',
    concurrency: 16,
    errors: undefined,
    report: undefined,
    wait: true,
    waitMs: 3_600_000,
    retryMs: 180_000,
    timeoutMs: 30_000,
  });
});

it('takes the key from the arguments, else from the environment', () => {
  expect(parseOptions(given.slice(0, 4), 'from-environment')).toMatchObject({ apiKey: 'from-environment' });
  expect(parseOptions(given, 'from-environment')).toMatchObject({ apiKey: 'key' });
});

it('accepts an after-import file with or without a book', () => {
  const additions = ['--after-import', 'more.ndjson'];
  expect(parseOptions([...given, ...additions], undefined)).toMatchObject({ afterImport: 'more.ndjson' });
  expect(parseOptions([...given.slice(2), ...additions, '--no-wait'], undefined)).toMatchObject({
    file: undefined,
    afterImport: 'more.ndjson',
  });
});

it.each([
  [given.slice(2), '--file is missing'],
  [[...given, '--after-import', 'more.ndjson', '--no-wait'], 'leave out --no-wait'],
  [given.slice(0, 2), '--base-url is missing'],
  [given.slice(0, 4), '--api-key is missing'],
  [[...given, '--base-url', 'localhost:3000'], 'is not a web address'],
  [[...given, '--base-url', 'http://h/?a=1'], 'has a query'],
  [[...given, '--concurrency', '0'], '--concurrency 0'],
  [[...given, '--concurrency', '2.5'], '--concurrency 2.5'],
  [[...given, '--wait-minutes', 'long'], '--wait-minutes long'],
  [[...given, '--speed', '9'], "unknown option '--speed'"],
  [[...given, 'more'], 'too many arguments'],
])('reports the problem with %j', (args, message) => {
  expect(() => parseOptions(args, undefined)).toThrow(UsageError);
  expect(() => parseOptions(args, undefined)).toThrow(message);
});
