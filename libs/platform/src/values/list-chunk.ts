/**
 * Number of rows that a list reads in one statement and holds in memory while it is streamed. Its rows are read from the
 * socket without a pause of the event loop: 2,000 rows took about 8 ms, which the requests of others waited for.
 */
export const LIST_CHUNK_ROWS = 200;
