import { LineReader } from './line-reader';

/** The lines of an upload that arrives in chunks of `size` bytes: `number:text`, or `number` for one that is too long. */
function read(upload: string, size: number): string[] {
  const reader = new LineReader(10);
  const bytes = Buffer.from(upload);
  const lines: string[] = [];
  const add = (line: ReturnType<LineReader['end']>) => {
    if (line) lines.push(line.bytes ? `${line.number}:${line.bytes.toString('latin1')}` : `${line.number}`);
  };
  for (let at = 0; at < bytes.length; at += size)
    for (const line of reader.push(bytes.subarray(at, at + size))) add(line);
  add(reader.end());
  return lines;
}

describe.each([1, 2, 3, 100])('an upload in chunks of %i bytes', (size) => {
  it.each<[string, string, string[]]>([
    ['line feeds', 'a\nb\n', ['1:a', '2:b']],
    ['no final line break', 'a\nb', ['1:a', '2:b']],
    ['CRLF', 'a\r\nb\r\n', ['1:a', '2:b']],
    ['a byte order mark', '\uFEFFa\nb', ['1:a', '2:b']],
    ['blank lines, which are counted', '\n a \n \t\r\n\r\n\r\r\nb\n\n', ['2: a ', '6:b']],
    ['a line that is too long', 'a\n12345678901\nb', ['1:a', '2', '3:b']],
    ['a line of the greatest length, with CRLF', '1234567890\r\nb', ['1:1234567890', '2:b']],
    ['a long last line', `a\n${'x'.repeat(1_000)}`, ['1:a', '2']],
    ['nothing', '', []],
  ])('is read with %s', (_what, upload, lines) => {
    expect(read(upload, size)).toEqual(lines);
  });
});

it('gives a line that is too long the hash of its bytes', () => {
  const reader = new LineReader(2);
  const lines = ['abcdef\n', 'ab', 'cd', 'ef\n'].flatMap((chunk) => [...reader.push(Buffer.from(chunk))]);
  const sha256 = Buffer.from('bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721', 'hex');
  expect(lines).toEqual([1, 2].map((number) => ({ number, bytes: undefined, sha256 })));
});

it('a line that is cut is too long, and the next one is not', () => {
  const reader = new LineReader(100);
  const lines = [...reader.push(Buffer.from('a\nb'))];
  reader.cut();
  lines.push(...reader.push(Buffer.from('\nc\nd')));
  reader.cut();
  lines.push(reader.end()!);
  expect(lines.map(({ number, bytes }) => [number, bytes?.toString()])).toEqual([
    [1, 'a'],
    [2, undefined],
    [3, 'c'],
    [4, undefined],
  ]);
});
