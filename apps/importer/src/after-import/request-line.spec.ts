import { parseRequestLine } from './request-line';

const parse = (text: string) => parseRequestLine({ number: 7, text }, 1000);
const body = '{"import_supplier":"DEMO","external_account_number":42,"notes":[{"body":"A"},{"body":"B"}]}';

it('parses a request and keeps its body unchanged', () => {
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

it('builds the query of the URL', () => {
  const line = '{"endpoint":"transactions","query":{"check_previously_added":false,"a&b":"c=d"},"body":{}}';
  expect(parse(line)).toMatchObject({ query: '?check_previously_added=false&a%26b=c%3Dd', items: 0 });
});

it('derives the idempotency key from the text of the line and not from its position', () => {
  const line = `{"endpoint":"notes","body":${body}}`;
  const key = (text: string, number = 1) => {
    const parsed = parseRequestLine({ number, text }, 1000);
    return parsed?.kind === 'request' ? parsed.idempotencyKey : undefined;
  };
  expect(key(`${line} \r`, 9)).toBe(key(line));
  expect(key(line.replace('"B"', '"C"'))).not.toBe(key(line));
});

it('reads the account number from its former name too', () => {
  const line = '{"endpoint":"notes","body":{"import_supplier":"DEMO","account_number":"42"}}';
  expect(parse(line)).toMatchObject({ externalAccountNumber: '42', account: '["DEMO","42"]' });
});

it.each([
  ['{"endpoint":"notes"', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['{"endpoint":"letters","body":{}}', 'The endpoint must be one of notes'],
  ['{"endpoint":"notes"}', 'The body must be a JSON object'],
  ['{"endpoint":"notes","body":[]}', 'The body must be a JSON object'],
  ['{"endpoint":"notes","body":{},"querry":{}}', 'no "querry"'],
  ['{"endpoint":"notes","body":{},"query":{"a":null}}', 'texts, numbers and booleans'],
])('reports the problem with %s', (text, detail) => {
  expect(parse(text)).toEqual({ kind: 'bad', line: 7, detail: expect.stringContaining(detail) });
});

it('skips a blank line', () => {
  expect(parse('  ')).toBeUndefined();
});
