import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { PortageClient } from '@portage/client';
import { type Config, ConfigError, loadConfig, migrate, migrateQueueSchema } from '@portage/platform';
import { makePrivateDirectory, SandboxVendors } from '@portage/testing/local-environment';
import { BookImport } from './book-import';
import { type DatabaseUrls, DemoDatabase } from './demo-database';
import { DemoServices } from './demo-services';
import { ADMIN, type DemoTenant, prepareDemoTenant } from './demo-tenant';
import { EXAMPLES, mainScript, ROOT } from './paths';
import { printLine, printMessage, runStep } from './progress';
import { putSampleDocuments } from './sample-documents';
import { StartError } from './start-error';

/** Exit status of a program that Ctrl-C has interrupted. */
const INTERRUPTED_STATUS = 130;

/** A complete installation on one machine: database, API and worker, with the sample book imported. */
export class Demo {
  private readonly directory: string;
  private readonly database: DemoDatabase;
  private readonly services: DemoServices;
  private readonly book: BookImport;
  private sandbox: SandboxVendors | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly exitAfterSummary: boolean,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.directory = resolve(ROOT, env['PORTAGE_DIR'] ?? '.portage');
    this.database = new DemoDatabase(this.directory);
    this.services = new DemoServices(this.directory);
    this.book = new BookImport(mainScript('importer'), {
      book: join(EXAMPLES, 'book.ndjson'),
      expectedBook: join(EXAMPLES, 'book.expected.json'),
      afterImport: join(EXAMPLES, 'after-import.ndjson'),
      expectedAfterImport: join(EXAMPLES, 'after-import.expected.json'),
      shortened: join(this.directory, 'after-import.ndjson'),
      errors: join(this.directory, 'book-errors.csv'),
      report: join(this.directory, 'book-report.json'),
    });
  }

  /**
   * Starts everything, imports the sample book and prints a summary. Without `exitAfterSummary` it then waits for a
   * stop.
   *
   * @returns the exit status: 0 if the import had the expected result
   * @throws StartError if something cannot be started
   */
  async run(): Promise<number> {
    makePrivateDirectory(this.directory);
    const config = await this.prepareConfig();
    const { applicationRole } = await runStep('Bringing the database up to date', async () =>
      migrate(config, migrateQueueSchema),
    );
    if (applicationRole === undefined)
      printMessage('WARNING: the role of DATABASE_URL can change the audit. See MIGRATION_DATABASE_URL.');
    const tenant = await runStep('Preparing the demo organisation, supplier, key and operator', async () =>
      prepareDemoTenant(config, this.directory),
    );
    const { apiKey, documentRoot } = tenant;
    // A configured document store has the operator's own documents.
    if (!config.DOCUMENT_STORE_URL)
      await runStep('Putting the sample documents into the document store', async () =>
        putSampleDocuments(config, documentRoot, [this.book.paths.book, this.book.paths.afterImport]),
      );
    const vendorSettings = await this.prepareVendors(config);
    const baseUrl = await runStep('Starting API and worker', async () =>
      this.services.start(config, { ...this.env, ...vendorSettings }),
    );
    if (this.isStopping()) return INTERRUPTED_STATUS;

    printLine(`\nImporting the sample book through ${baseUrl} ...\n`);
    const report = await this.book.run(baseUrl, apiKey, this.env);
    if (this.isStopping()) return INTERRUPTED_STATUS;
    const problems = this.book.findProblems(report);
    for (const problem of problems) printLine(`NOT AS EXPECTED: ${problem}`);
    if (problems.length === 0)
      printLine('The import had the expected result: the faulty accounts were refused, all others imported.');
    await this.printAddresses(baseUrl, tenant);
    if (this.exitAfterSummary) return problems.length === 0 ? 0 : 1;
    printLine('\nCtrl-C stops everything.');
    return this.waitForStop();
  }

  /** Ends {@link run} early, after its current step. */
  requestStop(): void {
    this.stopping.abort();
    this.book.stop();
  }

  /** Stops the importer, then API and worker, then the sandbox and the database. Idempotent. */
  async stop(): Promise<void> {
    this.book.stop();
    await this.services.stop();
    await this.sandbox?.stop();
    this.sandbox = undefined;
    await this.database.stop();
  }

  /** Loads the configuration. Without DATABASE_URL it starts the embedded database. */
  private async prepareConfig(): Promise<Config> {
    const urls = this.env['DATABASE_URL'] ? {} : toVariables(await this.database.start());
    try {
      return loadConfig('start', { ...this.env, ...urls, PORTAGE_DIR: this.directory });
    } catch (error) {
      throw error instanceof ConfigError ? new StartError(error.message) : error;
    }
  }

  /**
   * Starts the sandbox of the payment vendors, unless a key for a real vendor is configured: the sandbox must never
   * answer for a vendor with a key.
   *
   * @returns the settings that point the services to the sandbox
   */
  private async prepareVendors(config: Config): Promise<Readonly<Record<string, string>>> {
    if (config.STRIPE_API_KEY !== undefined || config.GOCARDLESS_ACCESS_TOKEN !== undefined) {
      this.book.leaveOutInstructions();
      return {};
    }
    this.sandbox = await runStep('Starting the sandbox of the payment vendors', async () =>
      SandboxVendors.start(),
    );
    return this.sandbox.settings;
  }

  private async printAddresses(baseUrl: string, { apiKey, adminPassword }: DemoTenant): Promise<void> {
    const number = await this.findExampleNumber(baseUrl, apiKey);
    const password =
      adminPassword === undefined
        ? `the password that you have chosen (another one: npm run cli -- operator reset-password ${ADMIN})`
        : `one-time password ${adminPassword}`;
    const rows = [
      ['API', baseUrl],
      ['API documentation', `${baseUrl}/docs   (${baseUrl}/openapi.json)`],
      ['Console', `${baseUrl}/console/   operator ${ADMIN}, ${password}`],
      ['Bull Board', `${baseUrl}/queues   (sign in to the console first)`],
      ...(this.sandbox
        ? [['Payment vendors', `a sandbox, ${this.sandbox.base}; set STRIPE_API_KEY to use the real one`]]
        : []),
      ['API key of supplier DEMO', apiKey],
      ['Refused accounts', join(this.directory, 'book-errors.csv')],
      ['Logs', `${join(this.directory, 'api.log')}, worker.log`],
      [
        'Events',
        `curl -s '${baseUrl}/v2/data-import/events/?supplier=DEMO&wait=20&after=now' -H "Authorization: Token ..."   (docs/events.md)`,
      ],
      ['Operator', 'npm run cli -- process list --supplier DEMO'],
      ...(number ? [['An account with everything', `npm run cli -- account show ${number}`]] : []),
    ];
    printLine('\nWhere to look');
    for (const [label = '', value = ''] of rows) printLine(`  ${label.padEnd(28)}${value}`);
  }

  /** The number of an account with everything, which is printed as a hint; undefined if the API does not tell it. */
  private async findExampleNumber(baseUrl: string, apiKey: string): Promise<string | undefined> {
    const { supplier, externalAccountNumber: accountNumber } = this.book.exampleAccount();
    const portage = new PortageClient({ baseUrl, apiKey, timeoutMs: 5_000, retry: { maxAttempts: 1 } });
    const path = { supplier, accountNumber };
    const status = await portage.readAccountTransferStatus({ path }).catch(() => undefined);
    return status?.data.platform_account_number;
  }

  private async waitForStop(): Promise<number> {
    const { signal } = this.stopping;
    if (!signal.aborted) await once(signal, 'abort');
    return 0;
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }
}

function toVariables({ databaseUrl, migrationDatabaseUrl }: DatabaseUrls): NodeJS.ProcessEnv {
  return { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: migrationDatabaseUrl };
}
