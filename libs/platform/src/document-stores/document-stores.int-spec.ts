import { createHash, randomBytes } from 'node:crypto';
import { BUCKET, CREDENTIALS, keyOf, LIMITS, startS3Server, testFolder } from '../../test/stores';
import { documentKey, type DocumentKey } from './document-key';
import type { DocumentStore } from './document-store';
import { FolderDocumentStore } from './folder-document-store';
import { inspectDocument } from './inspect-document';
import { S3DocumentStore } from './s3-document-store';

const stores: Record<string, () => Promise<{ store: DocumentStore; stop: () => unknown }>> = {
  'a folder': async () =>
    Promise.resolve({ store: new FolderDocumentStore(testFolder(), LIMITS), stop: () => undefined }),
  'an S3-compatible store': async () => {
    Object.assign(process.env, CREDENTIALS);
    const server = await startS3Server();
    const address = { kind: 's3', bucket: BUCKET, region: 'us-east-1', endpoint: server.endpoint } as const;
    const store = new S3DocumentStore({ ...address, forcePathStyle: true }, LIMITS);
    const stop = async () => {
      store.onApplicationShutdown();
      await server.stop();
    };
    return { store, stop };
  },
};

describe.each(Object.keys(stores))('documents in %s', (kind) => {
  let store: DocumentStore;
  let stop: () => unknown;
  beforeAll(async () => {
    ({ store, stop } = await stores[kind]!());
  });
  afterAll(() => stop());

  async function bytesOf(path: string, maxBytes = 10_000_000): Promise<Buffer> {
    const opened = await store.read(keyOf(path), { maxBytes });
    if (opened.outcome !== 'found') throw new Error(opened.outcome);
    const chunks: Uint8Array[] = [];
    for await (const chunk of opened.content) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  describe('that are written from a stream', () => {
    /** Two parts of S3 and a rest. */
    const LONG = randomBytes((11 << 20) + 7);

    async function* chunksOf(content: Buffer, failure?: Error): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < content.length; at += 65_536) {
        await Promise.resolve();
        yield content.subarray(at, at + 65_536);
      }
      if (failure) throw failure;
    }

    it.each([
      ['short', Buffer.from('short')],
      ['long', LONG],
    ])('are visible once they are published, in the place of earlier ones: %s', async (name, content) => {
      const path = `written/${name}.pdf`;
      await store.put(keyOf(path), Buffer.from('earlier'));
      const draft = await store.write(keyOf(path), chunksOf(content));
      expect(await bytesOf(path)).toEqual(Buffer.from('earlier'));
      await draft.publish();
      await draft.discard();
      expect((await bytesOf(path, 20_000_000)).equals(content)).toBe(true);
    });

    it.each([
      ['short', Buffer.from('short')],
      ['long', LONG],
    ])('leave nothing if they fail or are discarded: %s', async (name, content) => {
      const key = keyOf(`failed/${name}.pdf`);
      const failure = new Error('The digest differs.');
      await expect(store.write(key, chunksOf(content, failure))).rejects.toBe(failure);
      const draft = await store.write(key, chunksOf(content));
      await draft.discard();
      expect(await store.head(key)).toBeUndefined();
    });
  });

  it.each([
    'statement.pdf',
    'acme/2024/statement.pdf',
    'acme/two words & more+plus=equals.pdf',
    'acme/Zoë – Straße №5 日本.pdf',
    'acme/100%/a%20b.pdf',
    'acme/it’s (1) [2] {3} ~!@#$^*;,\'".pdf',
    'acme/?query#fragment.pdf',
    'acme/...hidden..pdf..',
    `acme/${'n'.repeat(200)}`,
  ])('a document at %s is read as it was stored', async (path) => {
    const content = Buffer.from(`the content of ${path}`);
    await store.put(keyOf(path), content);
    expect(await store.head(keyOf(path))).toEqual({ size: content.length });
    expect(await bytesOf(path)).toEqual(content);
  });

  it.each([
    ['a parent segment', '../tenant/secret'],
    ['parent segments further down', 'a/b/../../../tenant/secret'],
    ['a parent segment after a slash', '/../tenant/secret'],
    ['encoded dots', '%2e%2e/tenant/secret'],
    ['an encoded slash', '..%2frival%2fsecret'],
    ['double encoding', '%252e%252e%252frival%252fsecret'],
    ['overlong dots', '%c0%ae%c0%ae/tenant/secret'],
    ['the separators of Windows', '..\\tenant\\secret'],
    ['an encoded separator of Windows', '..%5crival%5csecret'],
    ['a drive', 'C:/tenant/secret'],
    ['a share of Windows', '\\\\host\\tenant\\secret'],
    ['dots in full width', '\uff0e\uff0e/tenant/secret'],
    ['a slash in full width', '..\uff0frival\uff0fsecret'],
    ['a two-dot leader', '\u2025/tenant/secret'],
    ['an invisible character between dots', '.\u200b./tenant/secret'],
    ['a NUL', '../tenant/secret\u0000.pdf'],
    ['an absolute path with two slashes', '//tenant/secret'],
  ])('%s does not lead to the document of another supplier', async (_case, path) => {
    await store.put(keyOf('tenant/secret'), Buffer.from('secret'));
    expect(await bytesOf('tenant/secret')).toHaveLength(6);
    expect(documentKey('acme', path)).toMatchObject({ outcome: 'refused' });
    // The store refuses it too, without the check of documentKey.
    const uncheckedKey = `acme/${path}` as DocumentKey;
    expect(await store.head(uncheckedKey).catch(() => undefined)).toBeUndefined();
    const opened = await store.read(uncheckedKey, { maxBytes: 10 }).catch(() => ({ outcome: 'missing' }));
    expect(opened).toEqual({ outcome: 'missing' });
  });

  it('an absolute path is resolved below the root', async () => {
    const resolved = documentKey('acme', '/etc/passwd');
    expect(resolved).toEqual({ outcome: 'resolved', key: 'acme/etc/passwd' });
    expect(await store.head('acme/etc/passwd' as DocumentKey)).toBeUndefined();
  });

  it('put replaces a document completely', async () => {
    await store.put(keyOf('replaced'), Buffer.from('the long first content'));
    await store.put(keyOf('replaced'), Buffer.from('second'));
    expect((await bytesOf('replaced')).toString()).toBe('second');
  });

  it.each(['missing.pdf', 'no/such/folder/missing.pdf', 'present/below'])('%s is missing', async (path) => {
    await store.put(keyOf('present'), Buffer.from('x'));
    expect(await store.head(keyOf(path))).toBeUndefined();
    expect(await store.read(keyOf(path), { maxBytes: 10 })).toEqual({ outcome: 'missing' });
    expect(await inspectDocument(store, keyOf(path), { maxBytes: 10 })).toEqual({ outcome: 'missing' });
  });

  it('a removed document is missing, and removing it again succeeds', async () => {
    await store.put(keyOf('acme/removed.pdf'), Buffer.from('x'));
    await store.put(keyOf('acme/beside.pdf'), Buffer.from('x'));
    for (let times = 0; times < 2; times += 1) await store.remove(keyOf('acme/removed.pdf'));
    expect(await store.head(keyOf('acme/removed.pdf'))).toBeUndefined();
    expect(await store.head(keyOf('acme/beside.pdf'))).toEqual({ size: 1 });
  });

  it('a folder is not a document', async () => {
    await store.put(keyOf('folder/document'), Buffer.from('x'));
    expect(await store.head(keyOf('folder'))).toBeUndefined();
  });

  it('keys are case-sensitive', async () => {
    await store.put(keyOf('case.pdf'), Buffer.from('x'));
    expect(await store.head(keyOf('CASE.pdf'))).toBeUndefined();
  });

  it('an empty document has zero bytes', async () => {
    await store.put(keyOf('empty'), Buffer.alloc(0));
    expect(await store.head(keyOf('empty'))).toEqual({ size: 0 });
    expect(await bytesOf('empty')).toHaveLength(0);
  });

  it('a document of the maximum size is read; a larger one is not', async () => {
    await store.put(keyOf('limited'), Buffer.alloc(1_000));
    expect(await bytesOf('limited', 1_000)).toHaveLength(1_000);
    const tooLarge = { outcome: 'too_large', size: 1_000 };
    expect(await store.read(keyOf('limited'), { maxBytes: 999 })).toEqual(tooLarge);
    expect(await inspectDocument(store, keyOf('limited'), { maxBytes: 999 })).toEqual(tooLarge);
  });

  it('a document of many chunks is inspected with the correct size and digest', async () => {
    const content = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      randomBytes(3_000_000),
      Buffer.from('\n%%EOF\n'),
    ]);
    await store.put(keyOf('large.pdf'), content);
    expect(await inspectDocument(store, keyOf('large.pdf'), { maxBytes: 10_000_000 })).toEqual({
      outcome: 'inspected',
      size: content.length,
      sha256: createHash('sha256').update(content).digest(),
      mediaType: 'application/pdf',
      isPdf: true,
    });
  });

  it('the store stays usable after readers stop early', async () => {
    await store.put(keyOf('abandoned'), randomBytes(2_000_000));
    for (let i = 0; i < 3 * LIMITS.maxConcurrent; i += 1) {
      const opened = await store.read(keyOf('abandoned'), { maxBytes: 2_000_000 });
      if (opened.outcome !== 'found') throw new Error(opened.outcome);
      for await (const chunk of opened.content) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
    }
    expect(await store.head(keyOf('abandoned'))).toEqual({ size: 2_000_000 });
  });

  it('finds the existing keys among many', async () => {
    const present = Array.from({ length: 30 }, (_, i) => keyOf(`many/${i * 3}`));
    for (const key of present) await store.put(key, Buffer.from('x'));
    const requested = Array.from({ length: 90 }, (_, i) => keyOf(`many/${i}`));
    expect(await store.existing([...requested, ...requested])).toEqual(new Set(present));
    expect(await store.existing([])).toEqual(new Set());
  });
});
