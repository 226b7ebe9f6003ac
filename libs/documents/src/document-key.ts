import { posix } from 'node:path';

declare const checked: unique symbol;

/** `<document root>/<path>` below the bucket. Only {@link documentKey} makes one, so a store is never asked for more. */
export type DocumentKey = string & { readonly [checked]: true };

export type ResolvedDocumentPath =
  | { readonly outcome: 'resolved'; readonly key: DocumentKey }
  /** `detail` is a sentence that does not repeat the path, which may name a customer. */
  | { readonly outcome: 'refused'; readonly at: 'document_root' | 'path'; readonly detail: string };

/** The most that S3 takes, and what file systems take of a name. In bytes of UTF-8. */
const MAX_KEY_BYTES = 1_024;
const MAX_SEGMENT_BYTES = 255;

/** Controls, line separators, unpaired surrogates and what is never drawn, but for the joiners that some scripts need. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
/** What a proxy or a second decoder would turn into a dot, a separator, a percent sign or a control character. */
const ENCODED_STRUCTURE = /%(?:2[ef5]|5c|[01][0-9a-f]|7f|c[01])/i;
/** `..`, and what systems that drop trailing dots and spaces take for it. */
const ONLY_DOTS = /^[. ]+$/;
const DRIVE = /^[a-z]:/i;

/**
 * Resolves a document path below a supplier's document root (contract 2.3), the same for every store.
 *
 * Paths are text, not URLs: they are taken as they are written, `%20` and `+` are themselves and no form of Unicode is
 * turned into another. Refused is what could mean another place to somebody further on: dot segments, also in
 * full width or percent-encoded, backslashes, drive letters, empty segments, invisible characters. One leading `/` is
 * dropped; the root may have one at either end, and may be empty.
 */
export function documentKey(documentRoot: string, path: string): ResolvedDocumentPath {
  const root = documentRoot.replace(/^\/|\/$/g, '');
  const relative = path.replace(/^\//, '');
  const wrongRoot = root === '' ? undefined : problemOf(root);
  if (wrongRoot) return { outcome: 'refused', at: 'document_root', detail: wrongRoot };
  const key = root === '' ? relative : `${root}/${relative}`;
  const wrongPath = problemOf(relative) ?? (isLongerThan(MAX_KEY_BYTES, key) ? TOO_LONG : undefined);
  if (wrongPath) return { outcome: 'refused', at: 'path', detail: wrongPath };
  return { outcome: 'resolved', key: key as DocumentKey };
}

/**
 * The key, for what is handed to a file system or a server that resolves dot segments by itself.
 *
 * @throws TypeError where it would be another document's by then: nobody but {@link documentKey} may make keys
 */
export function settled(key: DocumentKey): DocumentKey {
  if (posix.normalize(key) !== key || key.startsWith('../'))
    throw new TypeError('This is no key of a document.');
  return key;
}

const TOO_LONG = `A document path has at most ${MAX_KEY_BYTES} bytes with its root, and ${MAX_SEGMENT_BYTES} between two slashes.`;

function problemOf(path: string): string | undefined {
  if (path === '') return 'A document path names a file.';
  if (path.length > MAX_KEY_BYTES) return TOO_LONG;
  if (INVISIBLE.test(path)) return 'A document path has no control or other invisible characters.';
  // Compatibility forms: U+FF0E is a dot in full width, U+FF0F a slash, U+2100 has a slash in it.
  const folded = path.normalize('NFKC');
  if (folded.includes('\\')) return 'A document path is separated by /, not by \\.';
  if (ENCODED_STRUCTURE.test(folded)) return 'A document path is not percent-encoded.';
  if (DRIVE.test(folded)) return 'A document path is relative: it has no drive letter.';
  const segments = path.split('/');
  if (segments.includes(''))
    return 'A document path has a name between any two slashes and after the last one.';
  for (const segment of segments) {
    const name = segment.normalize('NFKC');
    if (name.includes('/')) return 'A document path has no characters that stand for a slash.';
    if (ONLY_DOTS.test(name)) return 'A document path has no segments of dots, such as . and ..';
    if (isLongerThan(MAX_SEGMENT_BYTES, segment)) return TOO_LONG;
  }
  return undefined;
}

const isLongerThan = (bytes: number, text: string) => Buffer.byteLength(text) > bytes;
