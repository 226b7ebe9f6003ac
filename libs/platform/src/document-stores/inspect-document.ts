import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type/core';
import type { DocumentKey } from './document-key';
import type { DocumentStore } from './document-store';

/** What the bytes of a document say about it. */
export interface InspectedDocument {
  /** In bytes. */
  readonly size: number;
  readonly sha256: Buffer;
  /** Detected from the first bytes, not from the name; `application/octet-stream` if unknown. */
  readonly mediaType: string;
  /** True if the document begins and ends as a PDF. */
  readonly isPdf: boolean;
}

/** The result of reading a document once. */
export type Inspection =
  | ({ readonly outcome: 'inspected' } & InspectedDocument)
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'too_large'; readonly size: number };

/** The number of bytes that file-type inspects, and the distance from the end in which PDF readers search the marker. */
const HEAD_BYTES = 4_100;
const TAIL_BYTES = 1_024;

/** Must stand at the start, after white space at most: a file with `%PDF-` further on may be of another type. */
const PDF_START = /^(?:\xef\xbb\xbf)?\s*%PDF-\d/;
const PDF_END = '%%EOF';

/**
 * Reads a document once, in constant memory, and returns its size, digest and media type. A statement must have
 * `isPdf`: a truncated upload has the media type `application/pdf` but not `isPdf`.
 *
 * @throws DocumentStoreUnavailable
 */
export async function inspectDocument(
  store: DocumentStore,
  key: DocumentKey,
  limits: { readonly maxBytes: number },
): Promise<Inspection> {
  const opened = await store.read(key, limits);
  if (opened.outcome !== 'found') return opened;
  const inspector = new DocumentInspector();
  for await (const chunk of opened.content) inspector.update(chunk);
  return { outcome: 'inspected', ...(await inspector.finish()) };
}

/** Inspects the bytes of one document as they pass, in constant memory. */
export class DocumentInspector {
  private readonly hash = createHash('sha256');
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);
  private bytes = 0;

  /** Bytes so far. */
  get size(): number {
    return this.bytes;
  }

  update(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    const { length } = this.head;
    if (length < HEAD_BYTES) this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - length)]);
    this.tail = Buffer.concat([this.tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }

  /** The result, once. */
  async finish(): Promise<InspectedDocument> {
    const startsAsPdf = PDF_START.test(this.head.toString('latin1'));
    return {
      size: this.bytes,
      sha256: this.hash.digest(),
      mediaType: startsAsPdf ? 'application/pdf' : await mediaTypeOf(this.head),
      isPdf: startsAsPdf && this.tail.includes(PDF_END),
    };
  }
}

async function mediaTypeOf(head: Buffer): Promise<string> {
  const unknown = 'application/octet-stream';
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? unknown;
  } catch {
    // It throws on headers with wrong lengths.
    return unknown;
  }
}
