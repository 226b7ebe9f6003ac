import type { DocumentKey } from './document-key';

/** Injection token of the configured {@link DocumentStore}. */
export const DOCUMENT_STORE = Symbol('DOCUMENT_STORE');

/** The result of opening a document. */
export type OpenedDocument =
  | {
      readonly outcome: 'found';
      readonly size: number;
      /**
       * Yields exactly `size` bytes or throws DocumentStoreUnavailable. It can be read once, and is closed when the
       * read timeout expires.
       */
      readonly content: AsyncIterable<Uint8Array>;
    }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'too_large'; readonly size: number };

/** A document that is written and not visible yet. */
export interface DocumentDraft {
  /** Makes the document visible at once, in the place of an earlier one. */
  publish(): Promise<void>;
  /** Removes a draft that was not published; has no effect on one that was. Never throws. */
  discard(): Promise<void>;
}

/**
 * The port of the store of suppliers' documents: `<bucket>/<document root>/<path>` (contract, "Document path"). Keys
 * are case-sensitive. A missing document is a value, not an exception. Every call ends within the {@link StoreLimits}.
 *
 * @throws DocumentStoreUnavailable if the store cannot be reached, refuses the credentials, has no such bucket or
 *   times out. A retry may succeed.
 */
export interface DocumentStore {
  /** The size in bytes, or undefined if the document does not exist. */
  head(key: DocumentKey): Promise<{ readonly size: number } | undefined>;
  read(key: DocumentKey, limits: { readonly maxBytes: number }): Promise<OpenedDocument>;
  /** The subset of the keys whose documents exist. Checks several keys concurrently. */
  existing(keys: Iterable<DocumentKey>): Promise<Set<DocumentKey>>;
  /**
   * Writes a document from a stream, in constant memory. It is not visible before it is published; nothing is left of
   * it if this throws. What a process that is killed leaves behind is not visible either.
   *
   * @throws what `content` throws
   */
  write(key: DocumentKey, content: AsyncIterable<Uint8Array>): Promise<DocumentDraft>;
  /** Stores or replaces a document. Only the demo and the tests use it. */
  put(key: DocumentKey, content: Uint8Array): Promise<void>;
  /** Removes a document; idempotent. Earlier versions in a versioned bucket remain. */
  remove(key: DocumentKey): Promise<void>;
}

/** The limits of a store. */
export interface StoreLimits {
  /** For one operation, such as `head`. */
  readonly operationTimeoutMs: number;
  /** For all checks of one `existing` call. */
  readonly checkTimeoutMs: number;
  /** For reading one document to its end. */
  readonly readTimeoutMs: number;
  /** Concurrent operations of one process. */
  readonly maxConcurrent: number;
}

/**
 * The store did not respond, or responded with an error. Whether the document exists is unknown. The error contains no
 * key and no address: `reason` is a code such as ECONNREFUSED, ETIMEDOUT, NoSuchBucket, AccessDenied.
 */
export class DocumentStoreUnavailable extends Error {
  override readonly name = 'DocumentStoreUnavailable';
  readonly code = 'unavailable';

  constructor(readonly reason: string) {
    super(`The document store is unavailable (${reason}).`);
  }
}

/**
 * Reduces an error of a file, a socket or the SDK to its code, because its message may contain a path. Programming
 * errors pass through unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof DocumentStoreUnavailable || error instanceof TypeError || error instanceof RangeError)
    return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const reason = String(code ?? name);
  return new DocumentStoreUnavailable(/^\w{1,60}$/.test(reason) ? reason : 'unknown');
}
