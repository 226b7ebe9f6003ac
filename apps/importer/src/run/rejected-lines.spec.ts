import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { JsonLinesFile } from '../book/json-lines-file';
import { RejectedLinesFile } from './rejected-lines';

it('copies the refused lines as they came, byte for byte, into a file of their owner only', async () => {
  const folder = newDirectory();
  const lines = [
    Buffer.from('\uFEFF {"external_account_number":"1"} \r'),
    Buffer.from('{"external_account_number":"2"}'),
    Buffer.from([0x7b, 0xff, 0x7d]),
    // Longer than a line may be.
    Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(100_000_001, 'y'), Buffer.from('"}')]),
    Buffer.from('{"external_account_number":"5","balance":1.10}'),
  ];
  const newline = Buffer.from('\n');
  const path = join(folder, 'book.ndjson');
  await writeFile(path, Buffer.concat(lines.flatMap((line) => [line, newline])).subarray(0, -1));
  const book = await JsonLinesFile.open(path, new AbortController().signal);
  const rejected = await RejectedLinesFile.create(join(folder, 'rejected.ndjson'));
  for (const line of [5, 1, 4, 3]) rejected.add(line);
  await rejected.write(book);
  await rejected.close();
  await book.close();
  const expected = Buffer.concat([0, 2, 3, 4].flatMap((nth) => [lines[nth]!, newline]));
  expect(expected.equals(await readFile(join(folder, 'rejected.ndjson')))).toBe(true);
  expect((await stat(join(folder, 'rejected.ndjson'))).mode & 0o777).toBe(0o600);
});
