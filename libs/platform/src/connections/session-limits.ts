/** Maximum wait for a connection, from the pool or to the server. */
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What each session of Portage asks of PostgreSQL. The limits hold so that the session of a process that has vanished
 * without closing its connections holds no locks for longer.
 */
export const SESSION_LIMITS = {
  /**
   * Statements read few rows, so that compiling one takes longer than running it. PostgreSQL compiles by the estimated
   * cost, which is high for every plan that cannot avoid a scan, see docs/adr/0209.
   */
  jit: 'off',
  /** No transaction of Portage waits for anything but its next statement. */
  idle_in_transaction_session_timeout: 15_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
} as const;

/** Options of a client of `pg`: the operating system asks an idle peer every second after ten seconds. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * The `options` of a session: {@link SESSION_LIMITS} and `more` settings.
 *
 * @param more settings by name, which override the limits
 */
export function sessionOptions(more: Readonly<Record<string, string | number>> = {}): string {
  return Object.entries({ ...SESSION_LIMITS, ...more })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
