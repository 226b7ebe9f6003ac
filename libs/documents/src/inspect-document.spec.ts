import { inspectDocument } from './inspect-document';
import { type DocumentStore } from './document-store';
import { type DocumentKey } from './document-key';

/** Gives the content in pieces, as stores do. */
const storeOf = (content: Buffer, piece: number): DocumentStore =>
  ({
    read: () =>
      Promise.resolve({
        outcome: 'found',
        size: content.length,
        content: (async function* () {
          for (let at = 0; at < content.length; at += piece) yield content.subarray(at, at + piece);
        })(),
      }),
  }) as unknown as DocumentStore;

const inspected = (content: Buffer, piece = 64_000) =>
  inspectDocument(storeOf(content, piece), 'any' as DocumentKey, { maxBytes: Infinity });

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');
const ZIP = Buffer.from('504b030414000000000000000000000000000100000001000000050000612e74787478', 'hex');

describe('what a document is', () => {
  it.each([
    ['a PDF', PDF, 'application/pdf', true],
    [
      'a PDF after a byte order mark',
      Buffer.concat([Buffer.from('efbbbf', 'hex'), PDF]),
      'application/pdf',
      true,
    ],
    ['a PDF after an empty line', Buffer.concat([Buffer.from('\r\n'), PDF]), 'application/pdf', true],
    ['a PDF with padding behind it', Buffer.concat([PDF, Buffer.alloc(900)]), 'application/pdf', true],
    ['a PDF that was cut off', PDF.subarray(0, 30), 'application/pdf', false],
    ['a PDF with much behind it', Buffer.concat([PDF, Buffer.alloc(1_100)]), 'application/pdf', false],
    ['a PDF without a version', Buffer.from('%PDF-x\n%%EOF'), 'application/pdf', false],
    ['text with a PDF in it', Buffer.concat([Buffer.from('Dear '), PDF]), 'application/octet-stream', false],
    ['a ZIP archive with a PDF in it', Buffer.concat([ZIP, Buffer.alloc(20), PDF]), 'application/zip', false],
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
    ['nothing', Buffer.alloc(0), 'application/octet-stream', false],
    ['a header that lies about lengths', lyingAsf(), 'application/octet-stream', false],
  ])('%s is recognised by its bytes', async (_what, content, mediaType, isPdf) => {
    expect(await inspected(content)).toMatchObject({ mediaType, isPdf, size: content.length });
  });

  it.each([1, 3, 1_024, 4_100])('is the same in pieces of %d bytes', async (piece) => {
    const content = Buffer.concat([PDF, Buffer.alloc(9_000, 'x'), PDF]);
    expect(await inspected(content, piece)).toEqual(await inspected(content));
    expect(await inspected(content)).toMatchObject({ isPdf: true });
  });
});

function lyingAsf(): Buffer {
  const content = Buffer.alloc(4_100);
  Buffer.from('3026b2758e66cf11a6d9', 'hex').copy(content);
  return content;
}
