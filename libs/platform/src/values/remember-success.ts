/**
 * Remembers the result of the first run that succeeds. Callers share a run in progress; one that fails is remembered by
 * none, and the next call runs again.
 */
export function rememberSuccess<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let remembered: Promise<Result> | undefined;
  return async () => {
    remembered ??= run().catch((error: unknown) => {
      remembered = undefined;
      throw error;
    });
    return remembered;
  };
}
