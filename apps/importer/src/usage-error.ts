/**
 * An error that the user of the tool can correct, such as a wrong file, address or key. The message says what is
 * wrong and how to correct it. The tool prints the message without a stack trace and exits with status 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
