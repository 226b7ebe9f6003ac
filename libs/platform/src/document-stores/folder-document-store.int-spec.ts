import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { keyOf, LIMITS, testFolder } from '../../test/stores';
import { DocumentStoreUnavailable } from './document-store';
import { FolderDocumentStore } from './folder-document-store';

describe('a folder as document store', () => {
  let folder: string;
  let root: string;
  let outside: string;
  let store: FolderDocumentStore;
  beforeEach(() => {
    folder = testFolder();
    root = join(folder, 'root');
    outside = join(folder, 'outside');
    mkdirSync(join(root, 'acme'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'private');
    writeFileSync(join(root, 'acme', 'letter'), 'letter');
    store = new FolderDocumentStore(root, LIMITS);
  });

  async function expectMissing(path: string): Promise<void> {
    expect(await store.head(keyOf(path))).toBeUndefined();
    expect(await store.read(keyOf(path), { maxBytes: 1_000 })).toEqual({ outcome: 'missing' });
    expect(await store.existing([keyOf(path), keyOf('acme/letter')])).toEqual(new Set(['acme/letter']));
  }

  it.each([
    ['a link to a file outside', 'acme/link', 'acme/link', () => join(outside, 'secret')],
    ['a relative link outside', 'acme/link', 'acme/link', () => '../../outside/secret'],
    ['a folder that is a link outside', 'acme/out/secret', 'acme/out', () => outside],
    ['a supplier that is a link outside', 'other/secret', 'other', () => outside],
    ["a link to another supplier's file", 'other', 'other', () => 'acme/letter'],
    ["a link to another supplier's folder", 'other/letter', 'other', () => 'acme'],
    ['a dangling link', 'acme/link', 'acme/link', () => 'nowhere'],
    ['a link to itself', 'acme/link', 'acme/link', () => 'link'],
  ])('%s is not a document', async (_case, path, link, target) => {
    symlinkSync(target(), join(root, link));
    await expectMissing(path);
  });

  it('a folder is not a document', async () => {
    await expectMissing('acme');
  });

  it('a pipe without a writer is not a document and does not block', async () => {
    execFileSync('mkfifo', [join(root, 'acme/pipe')]);
    await expectMissing('acme/pipe');
  });

  it('a socket is not a document', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'acme/socket'), resolve));
    await expectMissing('acme/socket');
    await new Promise((resolve) => server.close(resolve));
  });

  it('a folder that is repeatedly replaced by a link never exposes files outside', async () => {
    const folder = join(root, 'acme');
    const aside = join(root, 'aside');
    writeFileSync(join(outside, 'letter'), 'outside');
    let readCount = 0;
    const reading = (async () => {
      for (let i = 0; i < 500; i += 1) {
        const opened = await store.read(keyOf('acme/letter'), { maxBytes: 1_000 });
        if (opened.outcome !== 'found') continue;
        readCount += 1;
        for await (const chunk of opened.content) expect(Buffer.from(chunk).toString()).toBe('letter');
      }
    })();
    let done = false;
    void reading.finally(() => (done = true)).catch(() => undefined);
    for (let i = 0; !done; i += 1) {
      renameSync(folder, aside);
      symlinkSync(outside, folder);
      await new Promise(setImmediate);
      rmSync(folder);
      renameSync(aside, folder);
      await new Promise((resolve) => (i % 2 === 0 ? setImmediate(resolve) : setTimeout(resolve, i % 7)));
    }
    await reading;
    expect(readCount).toBeGreaterThan(0);
  });

  it('a hard link is a document', async () => {
    linkSync(join(root, 'acme/letter'), join(root, 'acme/hard-link'));
    expect(await store.head(keyOf('acme/hard-link'))).toEqual({ size: 6 });
  });

  it('may itself be a link', async () => {
    symlinkSync(root, join(folder, 'entry'));
    store = new FolderDocumentStore(join(folder, 'entry'), LIMITS);
    expect(await store.head(keyOf('acme/letter'))).toEqual({ size: 6 });
  });

  it('is unavailable if it does not exist; its documents do not count as missing', async () => {
    store = new FolderDocumentStore(join(root, 'not-mounted'), LIMITS);
    const unavailable = new DocumentStoreUnavailable('ENOENT');
    await expect(store.head(keyOf('a'))).rejects.toEqual(unavailable);
    await expect(store.read(keyOf('a'), { maxBytes: 1 })).rejects.toEqual(unavailable);
    await expect(store.existing([keyOf('a')])).rejects.toEqual(unavailable);
    await expect(store.put(keyOf('a'), Buffer.from('x'))).rejects.toEqual(unavailable);
    expect(existsSync(join(root, 'not-mounted'))).toBe(false);
  });

  it('is not written through a link', async () => {
    symlinkSync(outside, join(root, 'acme/out'));
    await expect(store.put(keyOf('acme/out/new/file'), Buffer.from('x'))).rejects.toThrow(
      DocumentStoreUnavailable,
    );
    expect(existsSync(join(outside, 'new'))).toBe(false);
    symlinkSync(join(outside, 'secret'), join(root, 'acme/link'));
    await store.put(keyOf('acme/link'), Buffer.from('x'));
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('private');
  });

  it('has no drafts of processes that were killed, once something is uploaded', async () => {
    mkdirSync(join(root, '.uploads'));
    writeFileSync(join(root, '.uploads', 'recent'), 'x');
    writeFileSync(join(root, '.uploads', 'old'), 'x');
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    utimesSync(join(root, '.uploads', 'old'), twoHoursAgo, twoHoursAgo);
    const draft = await store.write(keyOf('acme/new'), Readable.from([Buffer.from('x')]));
    expect(readdirSync(join(root, '.uploads')).filter((name) => name.length < 10)).toEqual(['recent']);
    await draft.publish();
    expect(readFileSync(join(root, 'acme/new'), 'utf8')).toBe('x');
    expect(readdirSync(join(root, '.uploads'))).toEqual(['recent']);
  });

  it('has no upload published through a link', async () => {
    symlinkSync(outside, join(root, 'acme/out'));
    const draft = await store.write(keyOf('acme/out/file'), Readable.from([Buffer.from('x')]));
    await expect(draft.publish()).rejects.toThrow(DocumentStoreUnavailable);
    await draft.discard();
    expect(existsSync(join(outside, 'file'))).toBe(false);
    expect(readdirSync(join(root, '.uploads'))).toEqual([]);
  });

  it('a document that grows during a read is an error', async () => {
    const opened = await store.read(keyOf('acme/letter'), { maxBytes: 1_000 });
    if (opened.outcome !== 'found') throw new Error(opened.outcome);
    writeFileSync(join(root, 'acme/letter'), 'letter and more');
    const reading = (async () => {
      for await (const chunk of opened.content) expect(chunk.length).toBeGreaterThan(0);
    })();
    await expect(reading).rejects.toThrow(DocumentStoreUnavailable);
  });
});
