import { readLine, refuseLine } from './read-line';

const read = (bytes: Buffer) => readLine({ number: 1, bytes }, 1_000, { values: 100, nesting: 10 });

const FIX = 'Send one account or one addition a line, as JSON without line breaks.';

it.each([
  ['is cut off', Buffer.from('{"a":1'), 'The line is not valid JSON.'],
  ['is a list', Buffer.from('[{}]'), 'The line is not a JSON object.'],
  ['is not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), 'The line is not UTF-8.'],
])('a line that %s is refused with what is wrong, and how to send it', (_what, bytes, detail) => {
  expect(read(bytes)).toMatchObject({
    errors: [{ code: 'line_not_json', detail: `${detail} ${FIX}`, attr: null }],
  });
});

it.each([
  ['{"a":1e400}', 'line_ambiguous'],
  ['{"a":{"b":1,"b":2}}', 'line_ambiguous'],
  [`[${'1,'.repeat(100)}1]`, 'line_too_long'],
  ['['.repeat(11), 'line_too_long'],
  ['{"payload":{},"mood":1}', 'unknown_field'],
  ['{"payload":{},"is_dry_run":true}', 'misplaced_parameter'],
  ['{"payload":{},"task_params":{}}', 'task_params_in_line'],
])('the line %s is refused with %s', (text, code) => {
  expect(read(Buffer.from(text))).toMatchObject({ errors: [{ code }] });
});

it.each(['{"a":1}', '{"payload":{"a":1}}', '{"payload":{"a":1},"task_params":null}'])(
  'the account of a line may be sent bare or as its payload: %s',
  (text) => {
    expect(read(Buffer.from(text))).toMatchObject({ line: 1, payload: { a: 1 } });
  },
);

it('a refused line is known by its account, or by its bytes if it has none', () => {
  const keysOf = (...texts: string[]) =>
    texts.map((text) => (read(Buffer.from(text)) as { refusedKey: Buffer }).refusedKey.toString('hex'));
  const [one, other, another, none, same, changed] = keysOf(
    '{"payload":{"external_account_number":"A-1"},"x":1}',
    '{"payload":{"external_account_number":"A-1","y":1},"x":1}',
    '{"payload":{"external_account_number":"A-2"},"x":1}',
    '{',
    '{',
    '{"',
  );
  expect([one === other, one === another, none === same, none === changed]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('of the errors of a line the first 20 are stored, cut and without control characters', () => {
  const error = { code: 'invalid', detail: `\n${'d'.repeat(600)}`, attr: `\t${'a'.repeat(300)}` };
  const { errors } = refuseLine(
    1,
    {},
    Buffer.from('digest'),
    Array.from({ length: 22 }, () => error),
  );
  const stored = { code: 'invalid', detail: `\\u000a${'d'.repeat(494)}`, attr: `\\u0009${'a'.repeat(194)}` };
  expect(errors.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => stored));
  expect(errors.slice(20)).toEqual([
    { code: 'too_many_errors', detail: 'The line has 2 more errors.', attr: null },
  ]);
});
