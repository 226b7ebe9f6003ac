/** Maximum wait for a connection, from the pool or to the server. */
export const DATABASE_CONNECT_TIMEOUT_MS = 5_000;
