import { parserOf } from './book-line';

const parse = (text: string) => parserOf('accounts')({ number: 7, text }, 1000);

it('reads an unwrapped account', () => {
  const body = '{"import_supplier": "S", "external_account_number": "1", "transfer_balance": 10.10}\r';
  expect(parse(body)).toEqual({
    kind: 'item',
    line: 7,
    isOfOtherKind: false,
    supplier: 'S',
    externalAccountNumber: '1',
    payload: { import_supplier: 'S', external_account_number: '1', transfer_balance: 10.1 },
    taskParams: undefined,
    isWrapped: false,
  });
});

it('reads a wrapped account', () => {
  const body =
    '{"payload":{"import_supplier":"S","external_account_number":"1"},"task_params":{"is_dry_run":true}}';
  expect(parse(body)).toMatchObject({
    kind: 'item',
    supplier: 'S',
    externalAccountNumber: '1',
    payload: { import_supplier: 'S', external_account_number: '1' },
    taskParams: { is_dry_run: true },
    isWrapped: true,
  });
});

it.each(['taskparams', 'options'])('leaves a wrapped account with a member %s as it is', (name) => {
  const body = `{"payload":{"import_supplier":"S","external_account_number":"1"},"${name}":{"is_dry_run":true}}`;
  expect(parse(body)).toMatchObject({
    externalAccountNumber: '1',
    taskParams: undefined,
    isWrapped: false,
  });
});

it.each([
  ['" 1 "', '1'],
  ['17', '17'],
  ['null', ''],
])('reads the account number %s like the service', (json, number) => {
  expect(parse(`{"import_supplier": "S", "external_account_number": ${json}}`)).toMatchObject({
    externalAccountNumber: number,
  });
});

it.each(['', '   ', '\r', '\t'])('skips a blank line %j', (text) => {
  expect(parse(text)).toBeUndefined();
});

it.each([
  ['{"a":', 'not JSON'],
  ['[{}]', 'not a JSON object'],
  ['"text"', 'not a JSON object'],
  ['null', 'not a JSON object'],
])('reports %s with its line', (text, why) => {
  expect(parse(text)).toMatchObject({ kind: 'bad', line: 7, detail: expect.stringContaining(why) });
});

it('reports a line that could not be read', () => {
  expect(parserOf('accounts')({ number: 1, text: undefined, problem: 'too-long' }, 10)).toMatchObject({
    kind: 'bad',
  });
  expect(parserOf('accounts')({ number: 1, text: undefined, problem: 'not-utf-8' }, 10)).toMatchObject({
    kind: 'bad',
  });
});

describe('a book of additions', () => {
  const parseAddition = (text: string) => parserOf('additions')({ number: 7, text }, 1000);

  it('has the supplier and the account of a line in its body', () => {
    const text = '{"notes":{"import_supplier":"S","external_account_number":1,"notes":[]}}';
    expect(parseAddition(text)).toMatchObject({
      kind: 'item',
      addition: 'notes',
      supplier: 'S',
      externalAccountNumber: '1',
      isOfOtherKind: false,
    });
  });

  it('leaves lines with no kind or two to the service', () => {
    for (const text of ['{"note":{}}', '{"notes":{},"transactions":{}}'])
      expect(parseAddition(text)).toMatchObject({ addition: undefined, isOfOtherKind: false });
  });

  it('is told from a book of accounts', () => {
    expect(parseAddition('{"external_account_number":"1","notes":[]}')).toMatchObject({
      isOfOtherKind: true,
    });
    expect(parse('{"notes":{"external_account_number":"1"}}')).toMatchObject({ isOfOtherKind: true });
    expect(parse('{"external_account_number":"1","notes":[]}')).toMatchObject({ isOfOtherKind: false });
  });
});
