import { announceSkipped, MISSING } from './announce-skipped';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
// Jest loads a global set-up without its module names, so these imports are relative.
import { EmbeddedPostgres } from '@portage/local-environment';
import { anyBackend, mayTestRedis, testedBackends } from './backends';
import { builtProgram } from './built-programs';
import { findChromium } from './chromium';
import { OperatorHost, runOperatorCommand } from './operator-host';
import { Guard } from './installation/guard';
import { RedisServers } from './installation/redis-servers';
import { type SharedName, SharedServices } from './shared-services';
import {
  applicationUrl,
  copyDatabase,
  EMPTY_TEMPLATE,
  shortenLogins,
  SUPPLIER_TEMPLATE,
} from './template-database';
import { TraceCollector } from './trace-collector';

/** Jest workers share hosts, because a host takes longer to start than a worker waits for one. */
const OPERATOR_HOSTS = 2;

/** The shared services that a suite names, or the suites that a group requires. */
function servicesOf(path: string): SharedName[] {
  const text = readFileSync(path, 'utf8');
  const suites = [...text.matchAll(/require\('(.*e2e-spec\.ts)'\)/g)].map(([, suite = '']) => suite);
  if (suites.length > 0) return suites.flatMap((suite) => servicesOf(join(dirname(path), suite)));
  return [
    ...(['postgres', 'limited'] as const).filter((name) => text.includes(`'${name}'`)),
    ...(text.includes('testedBackends(') ? testedBackends() : []),
    ...(text.includes('anyBackend(') ? [anyBackend()] : []),
  ];
}

/** What the tests of a run share. Addresses reach the jest workers through the environment. */
export class RunServers {
  private readonly stops: (() => Promise<void> | void)[] = [];
  private started: {
    servers?: Promise<void>;
    operators?: Promise<void>;
    console?: Promise<void>;
  } = {};
  private readonly services = new Set<SharedName>();

  /** The instance of this run, for the global set-up and the tear-down. */
  static get instance(): RunServers {
    const run = globalThis as { portageRunServers?: RunServers };
    return (run.portageRunServers ??= new RunServers());
  }

  /** Creates the directory of the run, which holds those of its tests. */
  createDirectory(): void {
    const directory = mkdtempSync(join(tmpdir(), 'portage-test-'));
    process.env['PORTAGE_TEST_DIRECTORY'] = directory;
    this.stops.push(() => {
      rmSync(directory, { recursive: true, force: true });
    });
  }

  /** Starts one PostgreSQL with a migrated template, and one Redis if a server is installed or named. */
  async startServers(): Promise<void> {
    await (this.started.servers ??= this.launchServers());
  }

  /** Starts hosts for the operator's commands, and adds a template with a supplier. */
  async startOperators(): Promise<void> {
    await (this.started.operators ??= this.launchOperators());
  }

  /** Starts the shared APIs and workers that these suites, or the suites of these groups, name. */
  async startServices(suites: readonly string[]): Promise<void> {
    if (suites.length === 0) return;
    await this.startOperators();
    const names = [...new Set(suites.flatMap(servicesOf))].filter((name) => !this.services.has(name));
    for (const name of names) this.services.add(name);
    const services = await SharedServices.start(names);
    this.stops.push(async () => services.stop());
  }

  /** Starts the API, the worker and the browser that the suites of the console share. Without a Chromium it starts nothing. */
  async startConsole(): Promise<void> {
    const program = findChromium();
    if (program) await (this.started.console ??= this.launchConsole(program));
    else announceSkipped('the console in a browser', MISSING.chromium);
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.splice(0).reverse()) await stop();
  }

  private async launchServers(): Promise<void> {
    const migrate = builtProgram('cli', 'migrate');
    const directory = process.env['PORTAGE_TEST_DIRECTORY']!;
    const guard = new Guard(directory);
    this.stops.push(async () => guard.stop());
    const postgres = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'postgres'),
      password: 'test',
      settings: {
        // These databases live for one run.
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        // It would look into hundreds of databases, as long as the run lasts.
        autovacuum: 'off',
        max_connections: '400',
        // Without standbys a lock on a table takes no transaction id, which would hold back the feeds of all suites.
        wal_level: 'minimal',
        max_wal_senders: '0',
      },
    });
    this.stops.push(async () => postgres.stop('immediate'));
    await postgres.createDatabase(EMPTY_TEMPLATE);
    const template = postgres.url(EMPTY_TEMPLATE);
    execFileSync(process.execPath, [migrate], {
      env: { ...process.env, DATABASE_URL: applicationUrl(template), MIGRATION_DATABASE_URL: template },
    });
    await shortenLogins(postgres.url());
    process.env['PORTAGE_TEST_POSTGRES'] = postgres.url('postgres');
    await this.launchRedis();
  }

  private async launchRedis(): Promise<void> {
    if (!mayTestRedis()) return;
    const given = process.env['TEST_REDIS_URL'];
    const own = given ? undefined : await RedisServers.start();
    if (own)
      this.stops.push(() => {
        own.stop();
      });
    const url = given ?? own?.url;
    if (url) process.env['PORTAGE_TEST_REDIS'] = url;
    if (url) process.stderr.write('Queue backends under test: PostgreSQL and Redis.\n');
    else announceSkipped('queues in Redis', MISSING.redis);
  }

  private async launchOperators(): Promise<void> {
    const [hosts] = await Promise.all([
      Promise.all(Array.from({ length: OPERATOR_HOSTS }, async () => OperatorHost.start())),
      this.startServers(),
    ]);
    this.stops.push(() => {
      for (const host of hosts) host.stop();
    });
    process.env['PORTAGE_TEST_OPERATORS'] = hosts.map(({ url }) => url).join(' ');
    const { PATH, HOME } = process.env;
    const DATABASE_URL = applicationUrl(await copyDatabase(EMPTY_TEMPLATE, SUPPLIER_TEMPLATE));
    const env = { PATH, HOME, DATABASE_URL };
    const run = async (...args: string[]) => runOperatorCommand(hosts[0]!.url, [...args, '--json'], env);
    await run('organisation', 'create', 'Supplier Ltd');
    const key = JSON.parse(await run('api-key', 'issue', '--organisation', 'Supplier Ltd')) as object;
    await run('supplier', 'create', 'LEGACY', '--organisation', 'Supplier Ltd');
    process.env['PORTAGE_TEST_API_KEY'] = (key as { api_key: string }).api_key;
  }

  private async launchConsole(program: string): Promise<void> {
    await this.startOperators();
    // Other suites do not need it.
    const { chromium } = await import('playwright-core');
    const traces = await TraceCollector.start();
    this.stops.push(async () => traces.stop());
    const browser = await chromium.launchServer({
      executablePath: program,
      // The sandbox of Chromium needs privileges that containers lack. The browser opens pages of the tests only.
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    this.stops.push(async () => browser.close());
    process.env['PORTAGE_TEST_BROWSER'] = browser.wsEndpoint();
    const services = await SharedServices.start(['console'], { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url });
    this.stops.push(async () => services.stop());
  }
}
