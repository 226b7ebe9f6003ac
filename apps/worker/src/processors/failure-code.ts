/** What is stored with a job that failed: a code, never what the database or a vendor said about a row. */
export function failureCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unavailable';
}

/** The code that a processor has thrown: it is the message, for BullMQ keeps nothing else of an error. */
export function thrownCode(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^[\w-]{1,64}$/.test(message) ? message : 'error';
}
