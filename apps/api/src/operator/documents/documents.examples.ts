/** An example of `RetriedDocuments`. */
export const exampleRetriedDocuments = { retried: 12, without_job: 0, remaining: false, next_cursor: null };
