import { posix } from 'node:path';
import { INVISIBLE_CHARACTER, NEEDED_IN_NAMES } from '@portage/text';

declare const checked: unique symbol;

/**
 * `<document root>/<path>` below the bucket. Only {@link documentKey} creates a key, so a store never receives an
 * unchecked path.
 */
export type DocumentKey = string & { readonly [checked]: true };

/** A key, or the reason why a path has none. */
export type ResolvedDocumentPath =
  | { readonly outcome: 'resolved'; readonly key: DocumentKey }
  /** `detail` is a sentence. It does not repeat the path, which may contain the name of a customer. */
  | { readonly outcome: 'refused'; readonly at: 'document_root' | 'path'; readonly detail: string };

/** The limits of S3 for a key and of file systems for a name, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024;
const MAX_SEGMENT_BYTES = 255;

const INVISIBLE = new RegExp(`(?!${NEEDED_IN_NAMES})${INVISIBLE_CHARACTER}`, 'u');
/** Percent sequences that a proxy or a second decoder would turn into a dot, separator, percent sign or control character. */
const ENCODED_STRUCTURE = /%(?:2[ef5]|5c|[01][0-9a-f]|7f|c[01])/i;
/** `..`, and names that systems which drop trailing dots and spaces treat as `..`. */
const DOTS_AND_SPACES = /^[. ]+$/;
const DRIVE_LETTER = /^[a-z]:/i;

/**
 * Resolves a document path below a supplier's document root (contract, "Document path"). The result is the same for
 * every store.
 *
 * A path is text, not a URL: it is used literally, without percent-decoding and without Unicode normalisation. A path
 * that another program could resolve to a different place is refused: dot segments (also full-width or percent-encoded),
 * backslashes, drive letters, empty segments, invisible characters. One leading `/` is removed. The root must
 * not be empty: without one, a path could name the document of any supplier. It may have a `/` at either end.
 */
export function documentKey(documentRoot: string, path: string): ResolvedDocumentPath {
  const root = documentRoot.replace(/^\/|\/$/g, '');
  const relative = path.replace(/^\//, '');
  const rootProblem = root === '' ? EMPTY_ROOT : problemOf(root);
  if (rootProblem) return { outcome: 'refused', at: 'document_root', detail: rootProblem };
  const key = `${root}/${relative}`;
  const pathProblem = problemOf(relative) ?? (isLongerThan(MAX_KEY_BYTES, key) ? TOO_LONG : undefined);
  if (pathProblem) return { outcome: 'refused', at: 'path', detail: pathProblem };
  return { outcome: 'resolved', key: key as DocumentKey };
}

/**
 * Checks a key again before it is passed to a file system or a server that resolves dot segments itself.
 *
 * @throws TypeError if the key would resolve to another document, so it was not created by {@link documentKey}
 */
export function requireNormalized(key: DocumentKey): DocumentKey {
  if (posix.normalize(key) !== key || key.startsWith('../'))
    throw new TypeError('The document key is not normalized.');
  return key;
}

const EMPTY_ROOT = 'The supplier has no document root.';
const TOO_LONG = `A document path may have at most ${MAX_KEY_BYTES} bytes including its root, and ${MAX_SEGMENT_BYTES} bytes between two slashes.`;

function problemOf(path: string): string | undefined {
  if (path === '') return 'A document path must name a file.';
  if (path.length > MAX_KEY_BYTES) return TOO_LONG;
  if (INVISIBLE.test(path)) return 'A document path must not contain control or invisible characters.';
  // NFKC folds compatibility characters: U+FF0E to a dot, U+FF0F to a slash, U+2100 to a text with a slash.
  const folded = path.normalize('NFKC');
  if (folded.includes('\\')) return 'A document path must be separated by /, not by \\.';
  if (ENCODED_STRUCTURE.test(folded)) return 'A document path must not be percent-encoded.';
  if (DRIVE_LETTER.test(folded)) return 'A document path must be relative, without a drive letter.';
  const segments = path.split('/');
  if (segments.includes(''))
    return 'A document path must have a name between two slashes and after the last slash.';
  for (const segment of segments) {
    const name = segment.normalize('NFKC');
    if (name.includes('/'))
      return 'A document path must not contain characters that are equivalent to a slash.';
    if (DOTS_AND_SPACES.test(name)) return 'A document path must not contain dot segments, such as . and ..';
    if (isLongerThan(MAX_SEGMENT_BYTES, segment)) return TOO_LONG;
  }
  return undefined;
}

const isLongerThan = (maxBytes: number, text: string) => Buffer.byteLength(text) > maxBytes;
