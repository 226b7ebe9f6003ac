import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { newDirectory } from '@portage/testing/test-directory';
import { bookBody, type BookSource } from './book-body';

const ACCOUNT = { import_supplier: 'DEMO', external_account_number: '1' };
const LINE = `${JSON.stringify(ACCOUNT)}\n`;

let folder: string;
beforeAll(async () => {
  folder = newDirectory();
  await writeFile(join(folder, 'book.ndjson'), LINE);
  await writeFile(join(folder, 'book.ndjson.gz'), gzipSync(LINE));
});

async function sentBy(source: BookSource): Promise<{ texts: string[]; isRepeatable: boolean }> {
  const { stream, isRepeatable } = await bookBody(source);
  const texts: string[] = [];
  for (let attempt = 0; attempt < (isRepeatable ? 2 : 1); attempt += 1)
    texts.push(gunzipSync(await buffer(stream())).toString());
  return { texts, isRepeatable };
}

async function* accounts() {
  yield ACCOUNT;
  yield LINE;
  yield await Promise.resolve(Buffer.from(LINE));
}

describe('a book is sent compressed', () => {
  it.each(['book.ndjson', 'book.ndjson.gz'])('a file is sent, again for each attempt: %s', async (name) => {
    const sent = await sentBy({ file: join(folder, name) });
    expect(sent).toEqual({ texts: [LINE, LINE], isRepeatable: true });
  });

  it('accounts, text and bytes are sent that a function begins again', async () => {
    const sent = await sentBy(accounts);
    expect(sent).toEqual({ texts: [LINE.repeat(3), LINE.repeat(3)], isRepeatable: true });
  });

  it('a stream is sent once', async () => {
    expect(await sentBy(accounts())).toEqual({ texts: [LINE.repeat(3)], isRepeatable: false });
    const sent = await sentBy(createReadStream(join(folder, 'book.ndjson')));
    expect(sent).toEqual({ texts: [LINE], isRepeatable: false });
  });

  it('a book of any length is sent in constant memory', async () => {
    const before = process.memoryUsage().rss;
    const { stream } = await bookBody(async function* () {
      for (let i = 0; i < 200; i += 1) yield await Promise.resolve(Buffer.alloc(1 << 20, LINE));
    });
    for await (const chunk of stream()) expect(chunk.length).toBeGreaterThan(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(120 << 20);
  });
});

it('A file that is not there is reported before anything is sent', async () => {
  await expect(bookBody({ file: join(folder, 'missing') })).rejects.toThrow('ENOENT');
});
