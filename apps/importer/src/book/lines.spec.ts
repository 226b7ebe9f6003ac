import fc from 'fast-check';
import { type Line, readLines } from './lines';

async function* pieces(parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield await Promise.resolve(Buffer.from(part as string));
}

async function read(parts: (string | Buffer)[], maxBytes = 1000): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(pieces(parts), maxBytes)) lines.push(line);
  return lines;
}

it('numbers lines from 1, with or without a line feed at the end', async () => {
  expect(await read(['a\n\nb'])).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: '' },
    { number: 3, text: 'b' },
  ]);
  expect(await read(['a\n'])).toEqual([{ number: 1, text: 'a' }]);
  expect(await read([])).toEqual([]);
});

it('splits at line feeds only, not at separators that JSON allows inside texts', async () => {
  expect(await read(['"a\u2028b\u2029c"\n'])).toEqual([{ number: 1, text: '"a\u2028b\u2029c"' }]);
});

it('joins lines and characters that are split across chunks', async () => {
  const bytes = Buffer.from('Zoë\n你\n');
  const cut = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect((await read(cut)).map(({ text }) => text)).toEqual(['Zoë', '你']);
});

it('gives the same lines for any chunks', async () => {
  const text = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', '')));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
      const expected = lines.map((line) => line.replace(/^\uFEFF/, ''));
      expect((await read(parts)).map((line) => line.text)).toEqual(expected);
    }),
  );
});

it('reports a line that is too long or not UTF-8, and continues after it', async () => {
  expect(await read(['x'.repeat(11), '\nok\n', Buffer.from([0x41, 0xff, 0x0a]), 'ok'], 10)).toEqual([
    { number: 1, text: undefined, problem: 'too-long' },
    { number: 2, text: 'ok' },
    { number: 3, text: undefined, problem: 'not-utf-8' },
    { number: 4, text: 'ok' },
  ]);
});

it('drops a byte order mark', async () => {
  expect(await read(['\uFEFF{}\n'])).toEqual([{ number: 1, text: '{}' }]);
});
