import { loadConfig, type Part } from '@portage/config';
import {
  type Document,
  hasRoute,
  maxStopMs,
  sourceOf,
  trackedFiles,
  unknownVariables,
  yaml,
} from './deployment';

const compose: Document = yaml('docker-compose.yml');
const services: Record<string, Document> = compose.services;
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
const others = Object.entries(services).filter(([, { build }]) => build === undefined);

/** The command line of a container of Portage: its entrypoint, or that of the image, and its command. */
const wordsOf = (service: Document): string[] => [
  ...(service.entrypoint ?? ['node']),
  ...(service.command ?? ['dist/apps/api/src/main.js']),
];
const scriptOf = (service: Document): string => wordsOf(service)[1]!;

/** The default value of a variable that refers to another variable. */
const byDefault = (value: string) => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const environmentOf = (service: Document): Record<string, string> =>
  Object.fromEntries(
    Object.entries((service.environment ?? {}) as Record<string, string>).map(([name, value]) => [
      name,
      byDefault(value),
    ]),
  );

/** Parses a stop_grace_period or an interval into milliseconds. */
const milliseconds = (duration: string) => Number(/^(\d+)s$/.exec(duration)![1]) * 1_000;

const partOf: Record<string, Part> = {
  api: 'api',
  'worker-1': 'worker',
  'worker-2': 'worker',
  migrate: 'cli',
  cli: 'cli',
};

describe('docker compose', () => {
  it('runs all programs of Portage and the services that they need', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...Object.keys(partOf), 'import-book'].sort());
    expect(others.map(([name]) => name).sort()).toEqual(
      ['postgres', 'redis', 'object-store', 'mail-catcher', 'stripe-mock'].sort(),
    );
    expect(others.map(([, { image }]) => image)).toEqual(
      others.map(() => expect.stringMatching(/^[\w./-]+:v?\d/)),
    );
  });

  it('starts programs that the build creates', () => {
    const files = trackedFiles();
    for (const [name, service] of ours) {
      expect([name, wordsOf(service)[0]]).toEqual([name, 'node']);
      expect([name, files.includes(sourceOf(scriptOf(service)))]).toEqual([name, true]);
    }
    expect(new Set(['worker-1', 'worker-2'].map((name) => scriptOf(services[name])))).toEqual(
      new Set(['dist/apps/worker/src/main.js']),
    );
  });

  it('sets only variables that a program reads', () => {
    const named = ours.flatMap(([, service]) => Object.keys(service.environment));
    expect(named.length).toBeGreaterThan(20);
    expect(unknownVariables(named)).toEqual([]);
  });

  it.each(Object.entries(partOf))('gives %s a valid configuration', (name, part) => {
    const config = loadConfig(part, environmentOf(services[name]));
    expect(config.NODE_ENV).toBe('production');
    const hosts = [config.DATABASE_URL, config.REDIS_URL!].map((url) => new URL(url).hostname);
    expect(hosts).toEqual(['postgres', 'redis']);
    expect(config.DOCUMENT_STORE_URL).toMatchObject({ kind: 's3', endpoint: 'http://object-store:7070' });
  });

  it('uses only existing services in URLs', () => {
    for (const [, service] of ours) {
      const addresses = Object.values(environmentOf(service)).flatMap((value) => [
        ...value.matchAll(/:\/\/(?:[^@/]*@)?([a-z][a-z-]*)[:?/]/g),
      ]);
      const hosts = addresses.map((match) => match[1]!).filter((host) => host !== 'documents');
      expect(hosts.filter((host) => !(host in services))).toEqual([]);
    }
    expect(compose.volumes).toHaveProperty('documents');
    expect(services['object-store'].volumes).toEqual(['documents:/data/documents']);
  });

  it('uses the credentials that PostgreSQL and the object store are set up with', () => {
    const { DATABASE_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environmentOf(services['api']);
    const { username, password, pathname } = new URL(DATABASE_URL!);
    expect(services['postgres'].environment).toMatchObject({
      POSTGRES_USER: username,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: pathname.slice(1),
    });
    expect(services['object-store'].environment).toMatchObject({
      ROOT_ACCESS_KEY: AWS_ACCESS_KEY_ID,
      ROOT_SECRET_KEY: AWS_SECRET_ACCESS_KEY,
    });
  });

  it('persists Redis data and evicts no keys', () => {
    const command = (services['redis'].command as string[]).join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(services['redis'].volumes).toEqual(['redis:/data']);
  });

  it('has a health check for each long-running service, and none for the others', () => {
    for (const [name, { restart, healthcheck }] of Object.entries(services)) {
      if (restart === 'no') expect([name, healthcheck]).toEqual([name, { disable: true }]);
      else expect([name, healthcheck]).toEqual([name, expect.objectContaining({ test: expect.any(Array) })]);
    }
  });

  it('checks the readiness of each program at its own port', () => {
    for (const name of ['api', 'worker-1', 'worker-2']) {
      const { test } = services[name].healthcheck;
      const part = partOf[name] as 'api' | 'worker';
      const config = loadConfig(part, environmentOf(services[name]));
      const url = new URL(test.at(-1));
      expect(test.slice(0, 3)).toEqual(['CMD', 'node', 'deploy/health-check.mjs']);
      expect(Number(url.port)).toBe(part === 'api' ? config.API_PORT : config.WORKER_PORT);
      expect(hasRoute(part, url.pathname)).toBe(true);
    }
  });

  it('gives different ports to the two workers, which share a network', () => {
    const workers = [services['worker-1'], services['worker-2']];
    expect(workers.map(({ network_mode: mode }) => mode)).toEqual(workers.map(() => 'service:stripe-mock'));
    expect(new Set(workers.map(({ environment }) => environment.WORKER_PORT)).size).toBe(2);
  });

  it('waits for each dependency with the condition that fits it', () => {
    const conditions = (name: string) =>
      Object.fromEntries(
        Object.entries(services[name].depends_on as Record<string, Document>).map(([on, { condition }]) => [
          on,
          condition,
        ]),
      );
    expect(conditions('migrate')).toEqual({ postgres: 'service_healthy' });
    for (const name of ['api', 'worker-1', 'worker-2'])
      expect(conditions(name)).toMatchObject({
        migrate: 'service_completed_successfully',
        postgres: 'service_healthy',
        redis: 'service_healthy',
        'object-store': 'service_healthy',
      });
    for (const [name, service] of ours)
      for (const [on, { condition }] of Object.entries(service.depends_on as Record<string, Document>)) {
        expect([name, on, on in services]).toEqual([name, on, true]);
        const { healthcheck, restart } = services[on];
        if (condition === 'service_healthy') expect([on, healthcheck.test]).toEqual([on, expect.any(Array)]);
        if (condition === 'service_completed_successfully') expect([on, restart]).toEqual([on, 'no']);
      }
  });

  it('gives programs a read-only file system and no way to gain privileges', () => {
    for (const [name, service] of ours)
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          read_only: true,
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
        }),
      ]);
  });

  it('publishes ports on the loopback interface only', () => {
    const ports = Object.values(services).flatMap(({ ports: open = [] }) => open as string[]);
    expect(ports.length).toBeGreaterThan(3);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it.each(['api', 'worker-1', 'worker-2'])('gives %s time to finish its active work', (name) => {
    const part = partOf[name] as 'api' | 'worker';
    const needed = maxStopMs[part](loadConfig(part, environmentOf(services[name])));
    const given = milliseconds(services[name].stop_grace_period);
    expect(given).toBeGreaterThan(needed);
    expect(given).toBeLessThanOrEqual(needed + 10_000);
  });
});
