import { parseRequestLine } from './request-line';

const parse = (text: string) => parseRequestLine({ number: 7, text }, 1000);
const body = '{"import_supplier":"DEMO","external_account_number":42,"notes":[{"body":"A"},{"body":"B"}]}';

it('is a request, its body as it stands', () => {
  expect(parse(`{"endpoint":"notes","body":${body}}`)).toEqual({
    kind: 'request',
    line: 7,
    endpoint: 'notes',
    externalAccountNumber: '42',
    account: '["DEMO","42"]',
    query: '',
    body,
    items: 2,
    idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

it('has the query of its URL', () => {
  const line = '{"endpoint":"transactions","query":{"check_previously_added":false,"a&b":"c=d"},"body":{}}';
  expect(parse(line)).toMatchObject({ query: '?check_previously_added=false&a%26b=c%3Dd', items: 0 });
});

it('keeps its key wherever it stands, and changes it with any of its letters', () => {
  const line = `{"endpoint":"notes","body":${body}}`;
  const key = (text: string, number = 1) => {
    const parsed = parseRequestLine({ number, text }, 1000);
    return parsed?.kind === 'request' ? parsed.idempotencyKey : undefined;
  };
  expect(key(`${line} \r`, 9)).toBe(key(line));
  expect(key(line.replace('"B"', '"C"'))).not.toBe(key(line));
});

it('finds the account under the old name of its number too', () => {
  const line = '{"endpoint":"notes","body":{"import_supplier":"DEMO","account_number":"42"}}';
  expect(parse(line)).toMatchObject({ externalAccountNumber: '42', account: '["DEMO","42"]' });
});

it.each([
  ['{"endpoint":"notes"', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['{"endpoint":"letters","body":{}}', 'The endpoint is one of notes'],
  ['{"endpoint":"notes"}', 'The body is a JSON object'],
  ['{"endpoint":"notes","body":[]}', 'The body is a JSON object'],
  ['{"endpoint":"notes","body":{},"querry":{}}', 'no "querry"'],
  ['{"endpoint":"notes","body":{},"query":{"a":null}}', 'texts, numbers and booleans'],
])('says what is wrong with %s', (text, detail) => {
  expect(parse(text)).toEqual({ kind: 'bad', line: 7, detail: expect.stringContaining(detail) });
});

it('is nothing when it is blank', () => {
  expect(parse('  ')).toBeUndefined();
});
