import { readLine } from './read-line';

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
