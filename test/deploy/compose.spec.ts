import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { newDirectory } from '@portage/testing/test-directory';
import { loadConfig, type Part } from '../../libs/platform/src/config/config';
import {
  type Document,
  hasRoute,
  maxStopMs,
  ROOT,
  sourceOf,
  text,
  trackedFiles,
  unknownVariables,
  yaml,
} from './deployment';

const compose: Document = yaml('docker-compose.yml');
const services: Record<string, Document> = compose.services;
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

/** The command line of a container of Portage: its entrypoint, or that of the image, and its command. */
const wordsOf = (service: Document): string[] => [
  ...(service.entrypoint ?? ['node']),
  ...(service.command ?? ['dist/apps/api/src/main.js']),
];
const scriptOf = (service: Document): string => wordsOf(service).find((word) => /\.m?js$/.test(word))!;

/** The folder of the generated secrets of this run. */
const secretsDirectory = newDirectory();

/** Runs the service `secrets`, with a folder instead of its volumes. */
function generateSecrets(folder: string, env: NodeJS.ProcessEnv = {}, ...args: string[]): string {
  const script = join(ROOT, scriptOf(services['secrets']));
  return execFileSync(process.execPath, [script, folder, ...args], { env, encoding: 'utf8' });
}
generateSecrets(secretsDirectory);

/** The folder of the generated secrets that a service mounts at /run/portage. */
function secretsOf({ volumes = [] }: Document): string | undefined {
  const mounts = (volumes as string[]).filter((mount) => mount.endsWith(':/run/portage:ro'));
  const folders = mounts.map((mount) => mount.slice(0, mount.indexOf('-secrets:')));
  expect(folders.length).toBeLessThan(2);
  return folders[0] && join(secretsDirectory, folders[0]);
}
const secretFile = (name: string, file: string) =>
  readFileSync(join(secretsOf(services[name])!, file), 'utf8');

/** The default value of a variable that refers to another variable. */
const byDefault = (value: string) => value.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
const environmentOf = (service: Document): Record<string, string> => {
  const given = Object.fromEntries(
    Object.entries((service.environment ?? {}) as Record<string, string>).map(([name, value]) => [
      name,
      byDefault(value),
    ]),
  );
  if (!wordsOf(service).includes('--env-file=/run/portage/settings.env')) return given;
  const settings = parseEnv(readFileSync(join(secretsOf(service)!, 'settings.env'), 'utf8'));
  // Node gives precedence to the environment, even to an empty variable.
  return { ...(settings as Record<string, string>), ...given };
};

/** Parses a stop_grace_period or an interval into milliseconds. */
const milliseconds = (duration: string) => Number(/^(\d+)s$/.exec(duration)![1]) * 1_000;

const partOf: Record<string, Part> = {
  api: 'api',
  'worker-1': 'worker',
  'worker-2': 'worker',
  migrate: 'migrate',
  cli: 'cli',
};

describe('docker compose', () => {
  it('starts programs that the build creates', () => {
    const files = trackedFiles();
    for (const [name, service] of ours) {
      expect([name, wordsOf(service)[0]]).toEqual([name, 'node']);
      const script = scriptOf(service);
      expect([name, files.includes(script) || files.includes(sourceOf(script))]).toEqual([name, true]);
    }
    expect(new Set(['worker-1', 'worker-2'].map((name) => scriptOf(services[name])))).toEqual(
      new Set(['dist/apps/worker/src/main.js']),
    );
  });

  it('sets only variables that a program reads', () => {
    const named = ours.flatMap(([, service]) => Object.keys(service.environment));
    expect(named.length).toBeGreaterThan(15);
    expect(unknownVariables(named)).toEqual([]);
  });

  it.each(Object.entries(partOf))('gives %s a valid configuration', (name, part) => {
    const config = loadConfig(part, environmentOf(services[name]));
    expect(config.NODE_ENV).toBe('production');
    expect(new URL(config.DATABASE_URL).hostname).toBe('postgres');
    if (name !== 'migrate') expect(config.REDIS_URL?.hosts).toEqual([{ host: 'redis', port: 6379 }]);
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
    expect(services['object-store'].volumes).toContain('documents:/data/documents');
  });

  it('contains no password or key, and generates each once, with 192 random bits', () => {
    expect(text('docker-compose.yml')).not.toMatch(/:\/\/[^\s/@]+:[^\s/@]+@/);
    const named = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment));
    const secretNames = /(SECRET|PASSWORD|TOKEN|SECRETS?_KEY)$/;
    expect(
      named.filter(([name]) => secretNames.test(name)).map(([, value]) => byDefault(value as string)),
    ).toEqual(['', '', '', '']);
    const file = join(secretsDirectory, 'generated', 'secrets.json');
    const secrets = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const values = Object.values(secrets);
    expect(values.length).toBeGreaterThan(6);
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value).toMatch(/^[\w-]{32}$/);
    expect(statSync(file).mode & 0o077).toBe(0);
    generateSecrets(secretsDirectory);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(secrets);
    const printed = generateSecrets(secretsDirectory, {}, '--print', 'OPERATOR_SECRETS_KEY');
    expect(printed).toBe(`${secrets['OPERATOR_SECRETS_KEY']!}\n`);
  });

  it('keeps the secrets that the operator sets', () => {
    const names = Object.keys(services['secrets'].environment);
    const given = Object.fromEntries(names.map((name) => [name, `the "${name}" of the operator's #1 \\n`]));
    const folder = join(secretsDirectory, 'given');
    generateSecrets(folder, given);
    generateSecrets(folder);
    const written = parseEnv(readFileSync(join(folder, 'application', 'settings.env'), 'utf8'));
    expect(written).toMatchObject(given);
  });

  it('gives each service the folder with its own secrets, and the passwords of its database roles', () => {
    const folders = Object.entries(services).map(([name, service]) => [name, secretsOf(service)]);
    expect(Object.fromEntries(folders.filter(([, folder]) => folder))).toEqual(
      Object.fromEntries(
        Object.entries({
          api: 'application',
          'worker-1': 'application',
          'worker-2': 'application',
          cli: 'application',
          migrate: 'migration',
          postgres: 'postgres',
          redis: 'redis',
          'object-store': 'object-store',
        }).map(([name, folder]) => [name, join(secretsDirectory, folder)]),
      ),
    );
    const { DATABASE_URL, MIGRATION_DATABASE_URL } = environmentOf(services['migrate']);
    const [application, owner] = [DATABASE_URL!, MIGRATION_DATABASE_URL!].map((url) => new URL(url));
    expect(application!.username).not.toBe(owner!.username);
    expect(environmentOf(services['api'])['DATABASE_URL']).toBe(DATABASE_URL);
    expect(environmentOf(services['api'])).not.toHaveProperty('MIGRATION_DATABASE_URL');
    expect(services['postgres'].environment).toMatchObject({
      POSTGRES_USER: owner!.username,
      POSTGRES_PASSWORD_FILE: '/run/portage/password',
      POSTGRES_DB: owner!.pathname.slice(1),
    });
    expect(secretFile('postgres', 'password')).toBe(owner!.password);
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, REDIS_URL } = environmentOf(services['api']);
    expect(services['object-store'].environment['ROOT_ACCESS_KEY']).toBe(AWS_ACCESS_KEY_ID);
    expect(secretFile('object-store', 'secret-key')).toBe(AWS_SECRET_ACCESS_KEY);
    expect(secretFile('redis', 'redis.conf')).toBe(`requirepass ${new URL(REDIS_URL!).password}\n`);
    expect(services['redis'].command.slice(0, 2)).toEqual(['redis-server', '/run/portage/redis.conf']);
  });

  it('persists Redis data and evicts no keys', () => {
    const command = (services['redis'].command as string[]).join(' ');
    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(services['redis'].volumes).toContain('redis:/data');
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
    expect(conditions('migrate')).toEqual({
      secrets: 'service_completed_successfully',
      postgres: 'service_healthy',
    });
    for (const name of ['postgres', 'redis', 'object-store'])
      expect(conditions(name)).toEqual({ secrets: 'service_completed_successfully' });
    for (const name of ['api', 'worker-1', 'worker-2'])
      expect(conditions(name)).toMatchObject({
        migrate: 'service_completed_successfully',
        postgres: 'service_healthy',
        redis: 'service_healthy',
        'object-store': 'service_healthy',
      });
    for (const [name, service] of ours)
      for (const [on, { condition }] of Object.entries(
        (service.depends_on ?? {}) as Record<string, Document>,
      )) {
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
