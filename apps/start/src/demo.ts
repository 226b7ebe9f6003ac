import { once } from 'node:events';
import { resolve } from 'node:path';
import { PortageClient } from '@portage/client';
import { type Config, ConfigError, loadConfig, migrate } from '@portage/platform';
import { makePrivateDirectory, SandboxVendors } from '@portage/local-environment';
import { BookImport, type BookReport } from './book-import';
import { type DatabaseUrls, DemoDatabase } from './demo-database';
import { DemoServices } from './demo-services';
import type { DemoTenant } from './demo-tenant';
import { type ImportedPart, summarizeImports } from './import-summary';
import { mainScript, ROOT, shortPath } from './paths';
import { printLine, printMessage, runStep } from './progress';
import { SAMPLE, writeSecondVersion } from './sample';
import { putSampleDocuments } from './sample-documents';
import { StartError } from './start-error';
import { Watchers } from './watchers';

/** Exit status of a program that Ctrl-C has interrupted. */
const INTERRUPTED_STATUS = 130;

/** A complete installation on one machine: database, API and worker, with the sample book imported. */
export class Demo {
  private readonly directory: string;
  private readonly database: DemoDatabase;
  private readonly services: DemoServices;
  private readonly imports: readonly BookImport[];
  /** Sends the last book again after it is imported, with changed accounts. */
  private secondImport: BookImport | undefined;
  private readonly watchers: Watchers;
  private sandbox: SandboxVendors | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly exitAfterSummary: boolean,
    private readonly isWatched: boolean,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.directory = resolve(ROOT, env['PORTAGE_DIR'] ?? '.portage');
    this.watchers = new Watchers(env);
    this.database = new DemoDatabase(this.directory);
    this.services = new DemoServices(this.directory);
    this.imports = SAMPLE.map((part) => new BookImport(mainScript('importer'), part, this.directory));
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
    if (this.isWatched)
      await runStep('Compiling', async () =>
        this.watchers.compile(() => {
          this.services.restart();
        }),
      );
    const config = await this.prepareConfig();
    const { applicationRole } = await runStep('Bringing the database up to date', async () =>
      migrate(config),
    );
    if (applicationRole === undefined)
      printMessage('WARNING: the role of DATABASE_URL can change the audit. See MIGRATION_DATABASE_URL.');
    const vendorSettings = await this.prepareVendors(config);
    const [baseUrl, tenant] = await runStep('Starting API and worker, preparing the demo organisation', () =>
      allOrFirstError([
        this.services.start(config, { ...this.env, ...vendorSettings }),
        this.prepareTenant(config),
      ]),
    );
    if (this.isStopping()) return INTERRUPTED_STATUS;

    const reports = await runStep('Importing the sample book', () =>
      Promise.all(this.imports.map((one) => one.run(baseUrl, tenant.apiKey, this.env))),
    );
    if (this.isStopping()) return INTERRUPTED_STATUS;
    const imported = this.imports.flatMap((one, nth) => toImported(one, reports[nth]));
    const firstProblems = this.imports.flatMap((one, nth) => findProblems(one, reports[nth]));
    const again = firstProblems.length > 0 ? undefined : await this.sendAgain(baseUrl, tenant.apiKey);
    if (this.isStopping()) return INTERRUPTED_STATUS;
    const problems = again?.problems ?? firstProblems;
    printLine('');
    for (const line of [
      ...summarizeImports(imported, again?.imported),
      '',
      ...(await this.whereToLook(baseUrl, tenant)),
    ])
      printLine(line);
    for (const problem of problems) printLine(`NOT AS EXPECTED: ${problem}`);
    if (this.isWatched) this.watchers.serveConsole(baseUrl);
    if (this.exitAfterSummary) return problems.length === 0 ? 0 : 1;
    printLine('Ctrl-C stops everything.');
    return this.waitForStop();
  }

  /** Sends a second version of the last book, which is small. */
  private async sendAgain(
    baseUrl: string,
    apiKey: string,
  ): Promise<{ imported: ImportedPart | undefined; problems: string[] }> {
    const { part } = this.imports.at(-1) as BookImport;
    const second = new BookImport(
      mainScript('importer'),
      writeSecondVersion(part, this.directory),
      this.directory,
    );
    this.secondImport = second;
    const report = await runStep('Sending a second version of a book', () =>
      second.run(baseUrl, apiKey, this.env),
    );
    const [imported] = toImported(second, report);
    return { imported, problems: findProblems(second, report) };
  }

  /** Ends {@link run} early, after its current step. */
  requestStop(): void {
    this.stopping.abort();
    this.stopImports();
  }

  /** Stops the importer, then API and worker, then the sandbox and the database. Idempotent. */
  async stop(): Promise<void> {
    this.stopImports();
    await this.watchers.stop();
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
      for (const one of this.imports) one.leaveOutInstructions();
      return {};
    }
    this.sandbox = await SandboxVendors.start();
    // The sandbox does not limit requests as the vendors do.
    return { ...this.sandbox.settings, PAYMENT_INSTRUCTIONS_PER_SECOND: '1000' };
  }

  /** The tenant, and the documents that its accounts name. */
  private async prepareTenant(config: Config): Promise<DemoTenant> {
    // Loaded while the services load as well, because that takes most of the time of a start.
    const { prepareDemoTenant } = await import('./demo-tenant.js');
    const tenant = await prepareDemoTenant(config, this.directory);
    // A configured document store has the operator's own documents.
    if (!config.DOCUMENT_STORE_URL) await putSampleDocuments(config, tenant.documentRoots);
    return tenant;
  }

  private async whereToLook(baseUrl: string, { apiKey, admin }: DemoTenant): Promise<string[]> {
    const number = await this.findExampleNumber(baseUrl, apiKey);
    const { name, oneTimePassword } = admin;
    const password =
      oneTimePassword === undefined
        ? `the password that you have chosen (another one: npx portage operator reset-password ${name})`
        : `one-time password ${oneTimePassword}`;
    const rows = [
      ['API', `${baseUrl}   documentation: ${baseUrl}/docs`],
      ['Key', `${apiKey}   of both suppliers`],
      ['Console', `${baseUrl}/console/   operator ${name}, ${password}; the queues: /queues`],
      ...(this.sandbox
        ? [['Vendors', `a sandbox at ${this.sandbox.base}, unless STRIPE_API_KEY is set`]]
        : []),
      [
        'Operator',
        `npx portage process list --supplier DEMO${number ? `; an account with everything: npx portage account show ${number}` : ''}`,
      ],
      [
        'Guides',
        `docs/suppliers-guide.md, docs/operating.md   logs: ${shortPath(this.directory)}/api.log, worker.log, ...`,
      ],
    ];
    return rows.map(([label = '', value = '']) => label.padEnd(13) + value);
  }

  /** The number of an account with everything, which is printed as a hint; undefined if the API does not tell it. */
  private async findExampleNumber(baseUrl: string, apiKey: string): Promise<string | undefined> {
    const [path] = this.imports.flatMap((one) => one.exampleAccount() ?? []);
    if (!path) return undefined;
    const portage = new PortageClient({ baseUrl, apiKey, timeoutMs: 5_000, retry: { maxAttempts: 1 } });
    // The API waits for open connections when it stops.
    const headers = { connection: 'close' };
    const status = await portage.readAccountTransferStatus({ path, headers }).catch(() => undefined);
    return status?.data.platform_account_number;
  }

  private stopImports(): void {
    for (const one of [...this.imports, this.secondImport]) one?.stop();
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

function toImported({ part, errors }: BookImport, report: BookReport | undefined): ImportedPart[] {
  return report ? [{ part, errors, report }] : [];
}

function findProblems(one: BookImport, report: BookReport | undefined): string[] {
  return one.findProblems(report).map((problem) => `${one.part.name}: ${problem}`);
}

/** The results of work that runs at the same time. Waits for all of it before it throws, so that none is left behind. */
async function allOrFirstError<One, Other>(work: [Promise<One>, Promise<Other>]): Promise<[One, Other]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function toVariables({ databaseUrl, migrationDatabaseUrl }: DatabaseUrls): NodeJS.ProcessEnv {
  return { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: migrationDatabaseUrl };
}
