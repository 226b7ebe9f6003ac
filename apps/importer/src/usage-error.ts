/**
 * Something the person at the keyboard can mend: a file, an address, a key. The message says what is wrong,
 * where, and what to do about it; the tool prints it alone, without a stack, and ends with status 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
