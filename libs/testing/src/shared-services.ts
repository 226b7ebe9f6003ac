import { freePort } from '@portage/local-environment';
import { newSharedRedisDatabase, type TestedBackend } from './backends';
import { Installation, type InstallationNeeds } from './installation/installation';

/** A shared Portage: with the queue in a backend, on PostgreSQL with limits that tests can reach, or for the console. */
export type SharedName = TestedBackend | 'limited' | 'console';

/** Settings of the shared Portage `limited`. */
export const LIMITS = {
  MAX_BODY_BYTES: 20_000,
  MAX_ARRAY_ITEMS: 50,
  REQUEST_TIMEOUT_MS: 2_000,
  KEEP_ALIVE_TIMEOUT_MS: 1_500,
  TOKEN_LIFETIME_SECONDS: 900,
  TOKEN_FAILURES_PER_ADDRESS: 4,
  TOKEN_FAILURE_WINDOW_SECONDS: 60,
  PLATFORM_TIMEZONE: 'Asia/Kolkata',
  PUBLIC_HOSTS: 'portage.example.com',
};

/** How a jest worker reaches a shared Portage. */
interface SharedAddress {
  baseUrl: string;
  workerUrl: string;
  databaseUrl: string;
  directory: string;
  env: NodeJS.ProcessEnv;
}

const SETTINGS: NodeJS.ProcessEnv = {
  LOG_LEVEL: 'debug',
  // No suite kills these workers, and a busy machine must not cause a job to be given to another worker.
  JOB_LOCK_MS: '30000',
  // The receivers of tests are on this machine.
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
  // No suite loses jobs here, and each sweep costs five workers and their databases processor time as long as the run lasts.
  SWEEP_INTERVAL_MS: '5000',
};

/** An API and workers for each name, which suites share as tenants of their own. */
export class SharedServices {
  private constructor(private readonly portages: readonly Installation[]) {}

  /** @param env settings of the API and the workers besides those of their name */
  static async start(names: readonly SharedName[], env: NodeJS.ProcessEnv = {}): Promise<SharedServices> {
    const started = await Promise.allSettled(
      names.map(async (name) => {
        const options = await optionsOf(name);
        return {
          name,
          portage: await Installation.start({ ...options, env: { ...options.env, ...env } }),
        };
      }),
    );
    const portages = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const services = new SharedServices(portages.map(({ portage }) => portage));
    for (const one of started) {
      if (one.status === 'fulfilled') continue;
      await services.stop();
      throw new Error('The shared services did not start.', { cause: one.reason });
    }
    const addresses = portages.map(({ name, portage }): [SharedName, SharedAddress] => {
      const { baseUrl, workerUrl, databaseUrl, directory, env } = portage;
      return [name, { baseUrl, workerUrl, databaseUrl, directory, env }];
    });
    process.env['PORTAGE_TEST_SERVICES'] = JSON.stringify({
      ...SharedServices.addresses(),
      ...Object.fromEntries(addresses),
    });
    return services;
  }

  static address(name: SharedName): SharedAddress {
    const address = SharedServices.addresses()[name];
    if (!address) throw new Error('Only suites in test/e2e/tenants and test/console can share services.');
    return address;
  }

  /** The services that run, by their names. */
  private static addresses(): Partial<Record<SharedName, SharedAddress>> {
    return JSON.parse(process.env['PORTAGE_TEST_SERVICES'] ?? '{}') as Partial<
      Record<SharedName, SharedAddress>
    >;
  }

  async stop(): Promise<void> {
    await Promise.all(this.portages.map(async (portage) => portage.stop()));
  }
}

/** Settings of an OpenID provider on a free port, which a suite starts. */
async function openIdSettings(): Promise<NodeJS.ProcessEnv> {
  return {
    OPERATOR_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OPERATOR_OIDC_CLIENT_ID: 'portage',
    OPERATOR_OIDC_CLIENT_SECRET: 'the-secret-of-portage',
  };
}

async function optionsOf(name: SharedName): Promise<InstallationNeeds> {
  if (name === 'console')
    return {
      backend: 'postgres',
      env: {
        ...SETTINGS,
        ...(await openIdSettings()),
        // Tests of wrong passwords fail from one address.
        TOKEN_FAILURES_PER_ADDRESS: '0',
        TRACE_URL_TEMPLATE: 'https://traces.example.com/trace/{trace_id}',
      },
    };
  if (name === 'limited')
    return {
      backend: 'postgres',
      env: {
        ...SETTINGS,
        ...Object.fromEntries(Object.entries(LIMITS).map(([setting, value]) => [setting, String(value)])),
        // The tests send forwarded addresses like a proxy, so that each test can act as many clients.
        TRUSTED_PROXIES: 'loopback',
        // openid-connect.e2e-spec.ts starts the provider.
        ...(await openIdSettings()),
      },
    };
  const redisUrl = await newSharedRedisDatabase(name);
  return {
    backend: name,
    // Two workers, so that suites would notice a job that is done twice.
    workers: 2,
    env: {
      ...SETTINGS,
      // All suites fail from one address. security-token-attempts.e2e-spec.ts tests the throttling.
      TOKEN_FAILURES_PER_ADDRESS: '0',
    },
    ...(redisUrl ? { redisUrl } : {}),
  };
}
