import { parserOf } from './book/book-line';
import { parseOptions } from './options';
import { UsageError } from './usage-error';

const given = ['--file', 'book.ndjson', '--base-url', 'http://127.0.0.1:3000', '--api-key', 'key'];

it('takes the key from the arguments, else from the environment', () => {
  expect(parseOptions(given.slice(0, 4), 'from-environment')).toMatchObject({ apiKey: 'from-environment' });
  expect(parseOptions(given, 'from-environment')).toMatchObject({ apiKey: 'key' });
});

it('sends accounts unless the kind is given', () => {
  expect(parseOptions(given, undefined)).toMatchObject({ kind: 'accounts' });
  const totals = ['--expected', 'lines=3,payment_total=20.00'];
  expect(parseOptions([...given, '--kind', 'additions', ...totals], undefined)).toMatchObject({
    kind: 'additions',
    expected: { lines: 3, payment_total: '20.00' },
  });
});

it.each([
  [given.slice(2), '--file is missing'],
  [given.slice(0, 2), '--base-url is missing'],
  [given.slice(0, 4), '--api-key is missing'],
  [[...given, '--base-url', 'localhost:3000'], 'is not a web address'],
  [[...given, '--base-url', 'http://h/?a=1'], 'has a query'],
  [[...given, '--wait-minutes', 'long'], '--wait-minutes long'],
  [[...given, '--speed', '9'], "unknown option '--speed'"],
  [[...given, '--kind', 'notes'], 'Allowed choices are accounts, additions'],
  [[...given, '--kind', 'additions', '--plan'], '--plan is about accounts'],
  [[...given, '--expected', 'payment_total=1.234'], 'at most two decimals'],
  [[...given, '--plan', '--rehearse'], '--plan rehearses a book'],
  [['--file', '-', ...given.slice(2), '--plan'], 'give the path of a file'],
  [[...given, '--yes'], '--yes confirms a plan'],
  [[...given, 'more'], 'too many arguments. Expected 0 arguments but got 1. Run with --help'],
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

it('explains the format of a book of additions and the exit codes in --help', () => {
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
  for (const kind of ['notes', 'transactions', 'historical_statements', 'payment_instruction'])
    expect(help).toContain(`{"${kind}":`);
  const example = help.split('\n').find((line) => line.trim().startsWith('{"notes"'));
  expect(parserOf('additions')({ number: 1, text: example }, 1000)).toMatchObject({ addition: 'notes' });
  for (const status of ['0', '1', '2', '130']) expect(help).toMatch(new RegExp(`^  ${status} +[a-z]`, 'm'));
});
