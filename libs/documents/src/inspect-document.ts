import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type/core';
import { type DocumentKey } from './document-key';
import { type DocumentStore } from './document-store';

export type Inspection =
  | {
      readonly outcome: 'inspected';
      /** In bytes. */
      readonly size: number;
      readonly sha256: Buffer;
      /** By the first bytes, never by the name; `application/octet-stream` where they tell nothing. */
      readonly mediaType: string;
      /** Begins as a PDF and ends as one. */
      readonly isPdf: boolean;
    }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'too_large'; readonly size: number };

/** As much as file-type looks at, and as far from the end as PDF readers look for the mark. */
const HEAD_BYTES = 4_100;
const TAIL_BYTES = 1_024;

/** Where writers of PDF put it, but for white space: what has `%PDF-` further on may be something else as well. */
const PDF_BEGINS = /^(?:\xef\xbb\xbf)?\s*%PDF-\d/;
const PDF_ENDS = '%%EOF';

/**
 * Reads a document once, in constant memory, and says what it is (DESIGN 4, "Document paths"). A statement must be
 * `isPdf`: one that was cut off in an upload is `application/pdf` and is not.
 *
 * @throws DocumentStoreUnavailable as the store does
 */
export async function inspectDocument(
  store: DocumentStore,
  key: DocumentKey,
  limits: { readonly maxBytes: number },
): Promise<Inspection> {
  const opened = await store.read(key, limits);
  if (opened.outcome !== 'found') return opened;
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of opened.content) {
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }
  const beginsAsPdf = PDF_BEGINS.test(head.toString('latin1'));
  return {
    outcome: 'inspected',
    size: opened.size,
    sha256: hash.digest(),
    mediaType: beginsAsPdf ? 'application/pdf' : await mediaTypeOf(head),
    isPdf: beginsAsPdf && tail.includes(PDF_ENDS),
  };
}

async function mediaTypeOf(head: Buffer): Promise<string> {
  const unknown = 'application/octet-stream';
  try {
    return (await fileTypeFromBuffer(head))?.mime ?? unknown;
  } catch {
    // Headers that lie about their lengths make it throw.
    return unknown;
  }
}
