/** The counters of an upload. Those that are not named are 0. */
export function uploadCounts(counts: Readonly<Record<string, unknown>>): object {
  return { lines: 0, accepted: 0, refused: 0, repeated: 0, unchanged: 0, corrections: 0, ...counts };
}

/** The answer to an upload. What is not named is 0 or empty. */
export function uploadAnswer(counts: Readonly<Record<string, unknown>>): object {
  return uploadCounts({ ignored_fields: {}, ...counts });
}
