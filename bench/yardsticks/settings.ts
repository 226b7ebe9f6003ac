/** The settings that the benchmark passes to every program. */
export interface Settings {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly port: number;
}

export function readSettings(part: 'api' | 'worker'): Settings {
  // oxlint-disable-next-line portage/no-environment -- these programs are not Portage and have no config
  const { DATABASE_URL = '', REDIS_URL = '', API_PORT, WORKER_PORT } = process.env;
  return {
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    port: Number(part === 'api' ? API_PORT : WORKER_PORT),
  };
}
