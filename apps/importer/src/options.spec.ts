import { ENDPOINTS, parseRequestLine } from './after-import/request-line';
import { parseOptions } from './options';
import { UsageError } from './usage-error';

const given = ['--file', 'book.ndjson', '--base-url', 'http://127.0.0.1:3000', '--api-key', 'key'];

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
  [[...given, '--stall-seconds', '0'], '--stall-seconds 0'],
  [['--file', '-', '--after-import', '-', ...given.slice(2)], 'Only one of'],
  [[...given, '--validate-only', '--after-import', 'more.ndjson'], 'leave out --after-import'],
  [[...given.slice(2), '--validate-only', '--after-import', 'more.ndjson'], 'give --file'],
  [[...given, '--validate-only', '--checkpoint', 'point'], 'leave out --checkpoint'],
  [[...given, '--rehearse', '--validate-only'], '--rehearse imports no account'],
  [[...given, '--rehearse', '--after-import', 'more.ndjson'], 'leave out --after-import'],
  [[...given, '--plan', '--rehearse'], '--plan rehearses a book'],
  [[...given, '--plan', '--validate-only'], '--plan rehearses a book'],
  [['--file', '-', ...given.slice(2), '--plan'], 'give the path of a file'],
  [[...given, '--yes'], '--yes confirms a plan'],
  [[...given, 'more'], 'too many arguments'],
  [[...given, '--checkpoint', 'point'], 'leave out --checkpoint'],
  [[...given, '--concurrency', '4'], 'leave out --concurrency'],
  [['--after-import', 'more.ndjson', ...given.slice(2), '--reject-unknown'], 'give --file, or leave it out'],
  [[...given, '--validate-only', '--reference', 'wave 1'], '--reference is about a submission'],
  [[...given, '--validate-only', '--expected', 'accounts=1'], '--expected is about a submission'],
  [[...given, '--validate-only', '--mode', 'correct'], '--mode is about a submission'],
  [[...given, '--mode', 'upsert'], 'Allowed choices are create, correct, create-or-correct'],
  [[...given, '--reference', ' '], 'must have 1 to 128'],
  [[...given, '--reference', 'x'.repeat(129)], 'must have 1 to 128'],
  [[...given, '--expected', 'accounts'], 'accounts= is not a whole number'],
  [[...given, '--expected', 'acounts=1'], 'is not valid at "acounts=1"'],
  [[...given, '--expected', 'accounts=1=2'], 'is not valid at'],
  [[...given, '--expected', 'accounts=-1'], 'is not a whole number'],
  [[...given, '--expected', 'accounts=1,accounts=2'], 'accounts twice'],
  [[...given, '--expected', 'opening_balance=1.234'], 'at most two decimals'],
])('reports the problem with %j', (args, message) => {
  expect(() => parseOptions(args, undefined)).toThrow(UsageError);
  expect(() => parseOptions(args, undefined)).toThrow(message);
});

it('reads the reference and the control totals of a submission', () => {
  const totals = 'accounts=100, opening_balance=-12.30,debts=0';
  expect(parseOptions([...given, '--reference', ' wave 1 ', '--expected', totals], undefined)).toMatchObject({
    reference: 'wave 1',
    expected: { accounts: 100, opening_balance: '-12.30', debts: 0 },
  });
});

it('creates accounts unless a mode is given', () => {
  expect(parseOptions(given, undefined)).toMatchObject({ mode: 'create' });
  expect(parseOptions([...given, '--mode', 'correct'], undefined)).toMatchObject({ mode: 'correct' });
});

it('accepts --checkpoint and --concurrency for an after-import file', () => {
  const both = ['--checkpoint', 'point', '--concurrency', '4'];
  const expected = { checkpoint: 'point', concurrency: 4 };
  expect(parseOptions([...given, ...both, '--after-import', 'more'], undefined)).toMatchObject(expected);
});

it('explains the format of the after-import file and the exit codes in --help', () => {
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    expect(parseOptions(['--help'], undefined)).toBeUndefined();
  } finally {
    write.mockRestore();
  }
  const help = written.join('');
  for (const endpoint of ENDPOINTS) expect(help).toContain(endpoint);
  const example = help.split('\n').find((line) => line.trim().startsWith('{"endpoint":"notes"'));
  const parsed = parseRequestLine({ number: 1, text: example }, 1000);
  expect(parsed).toMatchObject({ kind: 'request', endpoint: 'notes', items: 1 });
  for (const status of ['0', '1', '2', '130']) expect(help).toMatch(new RegExp(`^  ${status} +[a-z]`, 'm'));
});
