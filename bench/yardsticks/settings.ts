/** What the benchmark hands over to every program that it compares. */
export interface Settings {
  readonly databaseUrl: string;
  /** Undefined: the queue is in PostgreSQL. */
  readonly redisUrl: string | undefined;
  readonly port: number;
}

export function settingsOf(part: 'api' | 'worker'): Settings {
  // eslint-disable-next-line no-restricted-syntax -- these programs are not Portage and have no config
  const { DATABASE_URL = '', REDIS_URL, API_PORT, WORKER_PORT } = process.env;
  return {
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    port: Number(part === 'api' ? API_PORT : WORKER_PORT),
  };
}
