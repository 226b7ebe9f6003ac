/** Number of rows that a list reads in one statement and holds in memory while it is streamed. */
export const LIST_CHUNK_ROWS = 2_000;
