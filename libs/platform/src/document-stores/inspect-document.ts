import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type/core';
import type { DocumentKey } from './document-key';
import type { DocumentStore } from './document-store';

/** The result of reading a document once. */
export type Inspection =
  | {
      readonly outcome: 'inspected';
      /** In bytes. */
      readonly size: number;
      readonly sha256: Buffer;
      /** Detected from the first bytes, not from the name; `application/octet-stream` if unknown. */
      readonly mediaType: string;
      /** True if the document begins and ends as a PDF. */
      readonly isPdf: boolean;
    }
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
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  for await (const chunk of opened.content) {
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
  }
  const startsAsPdf = PDF_START.test(head.toString('latin1'));
  return {
    outcome: 'inspected',
    size: opened.size,
    sha256: hash.digest(),
    mediaType: startsAsPdf ? 'application/pdf' : await mediaTypeOf(head),
    isPdf: startsAsPdf && tail.includes(PDF_END),
  };
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
