import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  announceEmbeddedDatabase,
  type Config,
  ConfigError,
  loadConfig,
  localSecret,
  runningEmbeddedDatabase,
  withdrawEmbeddedDatabase,
} from '@portage/config';
import { migrate } from '@portage/database';
import { EmbeddedPostgres, freePort, SandboxVendors, ServiceProcess } from '@portage/local-environment';
import { migrateQueueSchema } from '@portage/queues';
import { BookImport } from './book';
import { demoTenant } from './demo-tenant';
import { platformAccountNumber } from './platform-account-number';
import { putSampleDocuments } from './sample-documents';
import { StartError } from './start-error';

const ROOT = resolve(__dirname, '..', '..', '..', '..');
const DIST = join(ROOT, 'dist', 'apps');
const EXAMPLES = join(ROOT, 'examples');
const DATABASE = 'portage';
const WANTED_DATABASE_PORT = 54_329;

/** Exit status of a program that Ctrl-C has ended before its work was done. */
const INTERRUPTED = 130;

/** A whole Portage on one machine: database, API, worker and the sample book. */
export class Demo {
  private postgres: EmbeddedPostgres | undefined;
  private sandbox: SandboxVendors | undefined;
  private readonly services: ServiceProcess[] = [];
  private readonly book: BookImport;
  private readonly directory: string;
  private readonly stopping = new AbortController();

  constructor(
    private readonly exitAfterSummary: boolean,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.directory = resolve(ROOT, env['PORTAGE_DIR'] ?? '.portage');
    this.book = new BookImport(join(DIST, 'importer', 'src', 'main.js'), {
      book: join(EXAMPLES, 'book.ndjson'),
      expectedBook: join(EXAMPLES, 'book.expected.json'),
      afterImport: join(EXAMPLES, 'after-import.ndjson'),
      expectedAfterImport: join(EXAMPLES, 'after-import.expected.json'),
      shortened: join(this.directory, 'after-import.ndjson'),
      errors: join(this.directory, 'book-errors.csv'),
      report: join(this.directory, 'book-report.json'),
    });
  }

  /** @returns the exit status: 0 when the sample book came to what it should */
  async run(): Promise<number> {
    mkdirSync(this.directory, { recursive: true });
    const config = await this.configured();
    await this.step('Bringing the database up to date', async () =>
      migrate(config, async () => migrateQueueSchema(config.DATABASE_URL)),
    );
    const { apiKey, documentRoot } = await this.step(
      'Preparing the demo organisation, supplier and key',
      async () => demoTenant(config, this.directory),
    );
    // Anywhere else the documents are somebody's own.
    if (!config.DOCUMENT_STORE_URL)
      await this.step('Putting the sample documents into the document store', async () =>
        putSampleDocuments(config, documentRoot, [this.book.paths.book, this.book.paths.afterImport]),
      );
    const vendors = await this.vendorSettings(config);
    const baseUrl = await this.step('Starting API and worker', async () =>
      this.startServices(config, vendors),
    );
    if (this.isStopping()) return INTERRUPTED;

    print(`\nImporting the sample book through ${baseUrl} ...\n`);
    const report = await this.book.run(baseUrl, apiKey, this.env);
    if (this.isStopping()) return INTERRUPTED;
    const problems = this.book.unexpected(report);
    for (const problem of problems) print(`NOT AS EXPECTED: ${problem}`);
    if (problems.length === 0)
      print(
        'This is what the sample book should come to: its faulty accounts are refused, all others imported and added to.',
      );
    await this.tellWhereToLook(config, baseUrl, apiKey);
    if (this.exitAfterSummary) return problems.length === 0 ? 0 : 1;
    print('\nCtrl-C stops everything.');
    return this.waitForTheEnd();
  }

  /** Makes `run` come to its end early, in order. */
  requestStop(): void {
    this.stopping.abort();
    this.book.stop();
  }

  /** Stops everything in the order in which it is needed: importer, API and worker, database. Safe to repeat. */
  async stop(): Promise<void> {
    this.book.stop();
    const services = this.services.splice(0);
    if (services.length > 0) print('Stopping API and worker ...');
    await Promise.all(services.map((service) => service.stop()));
    await this.sandbox?.stop();
    this.sandbox = undefined;
    const { postgres } = this;
    this.postgres = undefined;
    if (!postgres) return;
    print('Stopping the database ...');
    withdrawEmbeddedDatabase(this.directory);
    await postgres.stop();
  }

  /** The configuration, with the embedded database where no other is named. */
  private async configured(): Promise<Config> {
    let databaseUrl = this.env['DATABASE_URL'];
    if (!databaseUrl) {
      const running = runningEmbeddedDatabase(this.directory);
      if (running) throw new StartError(`npm start is running already, as process ${running.pid}.`);
      databaseUrl = await this.step('Starting PostgreSQL', async () => this.startPostgres());
    }
    try {
      return loadConfig('start', { ...this.env, DATABASE_URL: databaseUrl, PORTAGE_DIR: this.directory });
    } catch (error) {
      throw error instanceof ConfigError ? new StartError(error.message) : error;
    }
  }

  private async startPostgres(): Promise<string> {
    this.postgres = await EmbeddedPostgres.start({
      dataDirectory: join(this.directory, 'postgres'),
      wantedPort: WANTED_DATABASE_PORT,
      password: localSecret(this.directory, 'postgres-password'),
    }).catch((error: unknown) => {
      throw new StartError(error instanceof Error ? error.message : String(error));
    });
    await this.postgres.createDatabase(DATABASE);
    const databaseUrl = this.postgres.url(DATABASE);
    announceEmbeddedDatabase(this.directory, { databaseUrl, pid: process.pid });
    return databaseUrl;
  }

  /** Without a key for any payment vendor, the sandbox stands in for all; it must never do so for one with a key. */
  private async vendorSettings(config: Config): Promise<Readonly<Record<string, string>>> {
    if (config.STRIPE_API_KEY !== undefined || config.GOCARDLESS_ACCESS_TOKEN !== undefined) {
      this.book.leaveOutInstructions();
      return {};
    }
    this.sandbox = await this.step('Starting the sandbox of the payment vendors', async () =>
      SandboxVendors.start(),
    );
    return this.sandbox.settings;
  }

  private async startServices(config: Config, vendors: Readonly<Record<string, string>>): Promise<string> {
    const apiPort = await freePort(config.API_PORT);
    const workerPort = await freePort(config.WORKER_PORT === apiPort ? 0 : config.WORKER_PORT);
    const env: NodeJS.ProcessEnv = {
      ...this.env,
      DATABASE_URL: config.DATABASE_URL,
      PORTAGE_DIR: this.directory,
      API_PORT: String(apiPort),
      WORKER_PORT: String(workerPort),
      ...vendors,
    };
    const baseUrl = `http://${config.API_HOST}:${apiPort}`;
    this.services.push(
      this.launch('API', 'api', env, `${baseUrl}/health/ready`),
      this.launch('Worker', 'worker', env, `http://${config.WORKER_HOST}:${workerPort}/health/ready`),
    );
    await Promise.all(
      this.services.map((service) =>
        service.ready().catch((error: unknown) => {
          throw new StartError(error instanceof Error ? error.message : String(error));
        }),
      ),
    );
    return baseUrl;
  }

  private launch(
    name: string,
    part: 'api' | 'worker',
    env: NodeJS.ProcessEnv,
    readyUrl: string,
  ): ServiceProcess {
    const script = join(DIST, part, 'src', 'main.js');
    return ServiceProcess.launch({
      name,
      script,
      env,
      readyUrl,
      logFile: join(this.directory, `${part}.log`),
    });
  }

  private async tellWhereToLook(config: Config, baseUrl: string, apiKey: string): Promise<void> {
    const number = await platformAccountNumber(baseUrl, apiKey, this.book.firstAddedTo());
    const password = config.BULL_BOARD_PASSWORD
      ? 'as BULL_BOARD_PASSWORD says'
      : localSecret(this.directory, 'bull-board-password');
    const rows = [
      ['API', baseUrl],
      ['API documentation', `${baseUrl}/docs   (${baseUrl}/openapi.json)`],
      ['Bull Board', `${baseUrl}/queues   user ${config.BULL_BOARD_USER}, password ${password}`],
      ...(this.sandbox
        ? [['Payment vendors', `a sandbox, ${this.sandbox.base}; set STRIPE_API_KEY to ask the real one`]]
        : []),
      ['API key of supplier DEMO', apiKey],
      ['Refused', join(this.directory, 'book-errors.csv')],
      ['Logs', `${join(this.directory, 'api.log')}, worker.log`],
      ['Operator', 'npm run cli -- process list --supplier DEMO'],
      ...(number ? [['An account with everything', `npm run cli -- account show ${number}`]] : []),
    ];
    print('\nWhere to look');
    for (const [what = '', where = ''] of rows) print(`  ${what.padEnd(28)}${where}`);
  }

  private async waitForTheEnd(): Promise<number> {
    const { signal } = this.stopping;
    const stop = signal.aborted
      ? Promise.resolve('stop' as const)
      : once(signal, 'abort').then(() => 'stop' as const);
    const ended = this.services.map(async (service) => service.exited.then(() => service));
    const first = await Promise.race([stop, ...ended]);
    if (first === 'stop') return 0;
    throw new StartError(`A service has ended by itself.\n${first.endOfLog()}`);
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async step<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    process.stdout.write(`${what} ... `);
    try {
      const result = await work();
      print(`${((performance.now() - start) / 1_000).toFixed(1)} s`);
      return result;
    } catch (error) {
      print('failed');
      throw error;
    }
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
