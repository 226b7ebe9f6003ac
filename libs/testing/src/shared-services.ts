import { newSharedRedisDatabase, type TestedBackend, testedBackends } from './backends';
import { TestPortage } from './portage';

/** Two workers, so that suites that share them would notice a job that is done twice. */
const WORKERS = 2;

export const SHARED_BULL_BOARD_PASSWORD = 'correct horse: battery';

/** How a jest worker reaches the services of a backend. */
export interface SharedAddress {
  baseUrl: string;
  databaseUrl: string;
  directory: string;
  env: NodeJS.ProcessEnv;
}

/** An API and workers for each queue backend, which suites share as tenants of their own. */
export class SharedServices {
  private constructor(private readonly portages: readonly TestPortage[]) {}

  static async start(): Promise<SharedServices> {
    const started = await Promise.allSettled(testedBackends().map(launch));
    const portages = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const services = new SharedServices(portages.map(({ portage }) => portage));
    for (const one of started) {
      if (one.status === 'fulfilled') continue;
      await services.stop();
      throw new Error('The shared services did not start.', { cause: one.reason });
    }
    const addresses = portages.map(({ backend, portage }): [TestedBackend, SharedAddress] => {
      const { baseUrl, databaseUrl, directory, env } = portage;
      return [backend, { baseUrl, databaseUrl, directory, env }];
    });
    process.env['PORTAGE_TEST_SERVICES'] = JSON.stringify(Object.fromEntries(addresses));
    return services;
  }

  static address(backend: TestedBackend): SharedAddress {
    const all = JSON.parse(process.env['PORTAGE_TEST_SERVICES'] ?? '{}') as Partial<
      Record<TestedBackend, SharedAddress>
    >;
    const address = all[backend];
    if (!address) throw new Error('Only suites of the jest project "shared" can share services.');
    return address;
  }

  async stop(): Promise<void> {
    await Promise.all(this.portages.map(async (portage) => portage.stop()));
  }
}

async function launch(backend: TestedBackend): Promise<{ backend: TestedBackend; portage: TestPortage }> {
  const redisUrl = await newSharedRedisDatabase(backend);
  const portage = await TestPortage.start({
    backend,
    workers: WORKERS,
    env: {
      LOG_LEVEL: 'debug',
      BULL_BOARD_PASSWORD: SHARED_BULL_BOARD_PASSWORD,
      // No suite kills these workers, and a busy machine must not cause a job to be given to another worker.
      JOB_LOCK_MS: '30000',
    },
    ...(redisUrl ? { redisUrl } : {}),
  });
  return { backend, portage };
}
