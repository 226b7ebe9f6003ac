import { inspectDocument } from './inspect-document';
import type { DocumentStore } from './document-store';
import type { DocumentKey } from './document-key';

/** Yields the content in chunks, as stores do. */
const storeOf = (content: Buffer, chunkBytes: number): DocumentStore =>
  ({
    read: () =>
      Promise.resolve({
        outcome: 'found',
        size: content.length,
        content: (async function* () {
          for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
        })(),
      }),
  }) as unknown as DocumentStore;

const inspect = (content: Buffer, chunkBytes = 64_000) =>
  inspectDocument(storeOf(content, chunkBytes), 'any' as DocumentKey, { maxBytes: Infinity });

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');
const ZIP = Buffer.from('504b030414000000000000000000000000000100000001000000050000612e74787478', 'hex');

describe('inspecting a document', () => {
  it.each([
    ['a PDF', PDF, 'application/pdf', true],
    [
      'a PDF after a byte order mark',
      Buffer.concat([Buffer.from('efbbbf', 'hex'), PDF]),
      'application/pdf',
      true,
    ],
    ['a PDF after an empty line', Buffer.concat([Buffer.from('\r\n'), PDF]), 'application/pdf', true],
    ['a PDF with padding after its end', Buffer.concat([PDF, Buffer.alloc(900)]), 'application/pdf', true],
    ['a truncated PDF', PDF.subarray(0, 30), 'application/pdf', false],
    [
      'a PDF with more than 1 KB after its end',
      Buffer.concat([PDF, Buffer.alloc(1_100)]),
      'application/pdf',
      false,
    ],
    ['a PDF without a version', Buffer.from('%PDF-x\n%%EOF'), 'application/pdf', false],
    [
      'text that contains a PDF',
      Buffer.concat([Buffer.from('Dear '), PDF]),
      'application/octet-stream',
      false,
    ],
    [
      'a ZIP archive that contains a PDF',
      Buffer.concat([ZIP, Buffer.alloc(20), PDF]),
      'application/zip',
      false,
    ],
    [
      'a PNG',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000149444154', 'hex'),
      'image/png',
      false,
    ],
    ['a JPEG', Buffer.from('ffd8ffe000104a4649460001', 'hex'), 'image/jpeg', false],
    [
      'a web page',
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      'application/octet-stream',
      false,
    ],
    ['an empty document', Buffer.alloc(0), 'application/octet-stream', false],
    ['a header with a wrong length', asfWithWrongLength(), 'application/octet-stream', false],
  ])('%s is detected from its bytes', async (_case, content, mediaType, isPdf) => {
    expect(await inspect(content)).toMatchObject({
      outcome: 'inspected',
      mediaType,
      isPdf,
      size: content.length,
    });
  });

  it('says that there is no document', async () => {
    const missing = { outcome: 'missing' } as const;
    const store = { read: async () => Promise.resolve(missing) } as unknown as DocumentStore;
    expect(await inspectDocument(store, 'any' as DocumentKey, { maxBytes: 1 })).toBe(missing);
  });

  it.each([1, 3, 1_024, 4_100])('has the same result with chunks of %d bytes', async (chunkBytes) => {
    const content = Buffer.concat([PDF, Buffer.alloc(9_000, 'x'), PDF]);
    expect(await inspect(content, chunkBytes)).toEqual(await inspect(content));
    expect(await inspect(content)).toMatchObject({ isPdf: true });
  });
});

function asfWithWrongLength(): Buffer {
  const content = Buffer.alloc(4_100);
  Buffer.from('3026b2758e66cf11a6d9', 'hex').copy(content);
  return content;
}
