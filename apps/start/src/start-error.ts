/** A failure that prevents the demo from running. Its message is a sentence for the user. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** Wraps any error. */
  static from(error: unknown): StartError {
    return new StartError(error instanceof Error ? error.message : String(error));
  }
}
