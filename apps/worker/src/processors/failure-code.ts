/** What is stored with a job that failed: a code, never what the database or a vendor said about a row. */
export function failureCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unavailable';
}
