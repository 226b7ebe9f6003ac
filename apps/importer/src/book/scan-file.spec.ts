import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { newDirectory } from '@portage/testing/test-directory';
import { UsageError } from '../usage-error';
import { parserOf } from './book-line';
import { JsonLinesFile } from './json-lines-file';
import { scanFile } from './scan-file';

const accountLine = (number: string) =>
  JSON.stringify({ import_supplier: 'DEMO', external_account_number: number });
const BOOK = ['1', '2', '3'].map(accountLine).join('\n');
const { signal } = new AbortController();

let folder: string;
beforeEach(async () => (folder = newDirectory()));

/** The account numbers of a file, or of standard input. */
async function numbersOf(path: string, standardInput?: Readable): Promise<string[]> {
  const file = await JsonLinesFile.open(path, signal, standardInput);
  const numbers: string[] = [];
  try {
    await scanFile(
      file,
      parserOf('accounts'),
      (line) => numbers.push(line.kind === 'item' ? line.externalAccountNumber : line.detail),
      signal,
    );
  } finally {
    await file.close();
  }
  return numbers;
}

async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

describe('a book', () => {
  it('may come from standard input and be compressed', async () => {
    const halves = [gzipSync(BOOK).subarray(0, 20), gzipSync(BOOK).subarray(20)];
    expect(await numbersOf('-', Readable.from(halves))).toEqual(['1', '2', '3']);
  });

  it('may be a .gz file of several members', async () => {
    const members = [gzipSync(`${accountLine('1')}\n`), gzipSync(accountLine('2'))];
    expect(await numbersOf(await write('book.ndjson.gz', Buffer.concat(members)))).toEqual(['1', '2']);
  });

  it.each([
    ['an empty file', '', 'There is no line in'],
    ['a broken gzip file', gzipSync(BOOK.repeat(1000)).subarray(0, 60), 'is not a complete gzip file'],
    ['a file that is only named .gz', BOOK, 'is not a complete gzip file'],
    ['a JSON array', `[\n${BOOK.replaceAll('\n', ',\n')}\n]`, 'is a JSON array'],
    ['pretty-printed JSON', '{\n  "external_account_number": "1"\n}\n', 'seems to be pretty-printed JSON'],
    ['serialised twice', JSON.stringify(BOOK), 'they were serialised twice'],
    ['CSV', 'import_supplier;external_account_number\nA;1\n', 'seems to be CSV'],
  ])('is refused if it is %s', async (what, content, message) => {
    const failure: unknown = await numbersOf(
      await write(what.includes('.gz') ? 'book.gz' : 'book', content),
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).message).toContain(message);
  });
});
