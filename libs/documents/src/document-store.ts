import { type DocumentKey } from './document-key';

/** Injection token of the {@link DocumentStore} that the configuration names. */
export const DOCUMENT_STORE = Symbol('DOCUMENT_STORE');

export type OpenedDocument =
  | {
      readonly outcome: 'found';
      readonly size: number;
      /**
       * Gives exactly `size` bytes or throws DocumentStoreUnavailable. Can be read once; what is not read to its end
       * within the time limit is closed.
       */
      readonly content: AsyncIterable<Uint8Array>;
    }
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'too_large'; readonly size: number };

/**
 * Where suppliers' documents are: `<bucket>/<document root>/<path>` (contract 2.3). Keys are case-sensitive. What is
 * expected is a value. Every call ends within a limit of the configuration.
 *
 * @throws DocumentStoreUnavailable when the store cannot be reached, refuses the credentials, has no such bucket or
 *   does not answer in time. Asking again later may help.
 */
export interface DocumentStore {
  /** Undefined when there is no such document. */
  head(key: DocumentKey): Promise<{ readonly size: number } | undefined>;
  read(key: DocumentKey, limits: { readonly maxBytes: number }): Promise<OpenedDocument>;
  /** Those of the keys that there is a document for. Asks for several at once. */
  existing(keys: Iterable<DocumentKey>): Promise<Set<DocumentKey>>;
  /** Stores or replaces a document. Suppliers upload past Portage: this is for the demo and for tests. */
  put(key: DocumentKey, content: Uint8Array): Promise<void>;
  /** Removes a document; one that is not there is removed already. Earlier versions that a bucket keeps stay in it. */
  remove(key: DocumentKey): Promise<void>;
}

/** The limits of a store, in milliseconds and questions. */
export interface StoreLimits {
  readonly operationTimeoutMs: number;
  readonly checkTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly maxConcurrent: number;
}

/**
 * The store did not answer, or not as it should; nothing is known about the document. Holds no key and no address:
 * `reason` is a code such as ECONNREFUSED, ETIMEDOUT, NoSuchBucket, AccessDenied.
 */
export class DocumentStoreUnavailable extends Error {
  override readonly name = 'DocumentStoreUnavailable';
  readonly code = 'unavailable';

  constructor(readonly reason: string) {
    super(`The document store does not answer as it should (${reason}).`);
  }
}

/** Errors of files, sockets and the SDK by their code alone: their messages hold paths. Our own mistakes stay as they are. */
export function storeUnavailable(error: unknown): unknown {
  if (error instanceof DocumentStoreUnavailable || error instanceof TypeError || error instanceof RangeError)
    return error;
  const { code, name } = error as { code?: unknown; name?: unknown };
  const reason = String(code ?? name);
  return new DocumentStoreUnavailable(/^\w{1,60}$/.test(reason) ? reason : 'unknown');
}
