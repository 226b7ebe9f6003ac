/**
 * Builds the SQL of the number of an advisory lock: 64 bits of SHA-256 over its purpose, its owner and its name. All
 * advisory locks of a database are one space of numbers, and clients choose some of the names. With a hash that can be
 * inverted a client could find the name of any other lock, and hold it.
 *
 * @param purpose a constant, which no other lock has
 * @param owner SQL of the id of the organisation or of the object whose lock it is; the empty text for the installation
 * @param name SQL of a text that tells apart the locks of one owner
 */
export function lockKey(purpose: string, owner = `''`, name = `''`): string {
  return lockNumber(`concat_ws(' ', '${purpose}', ${owner}, ${name})`);
}

/** Builds the SQL of the number of the lock that SQL of a text names. */
export function lockNumber(text: string): string {
  return `('x' || encode(substring(sha256(convert_to(${text}, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint`;
}

/**
 * Selects the bucket of a name among 64, for locks that one transaction may need any number of: the memory for locks is
 * limited, and shared by all sessions.
 */
export const LOCK_MASK = 63;
