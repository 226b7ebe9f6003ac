import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** What the importer reports of requests to one endpoint, and what the sample should come to. */
export interface EndpointReport {
  requests: number;
  added: number;
  already_there: number;
  refused: Record<string, number>;
  failed: number;
}

/** What the importer reports of a book, and of what is added to its accounts. */
export interface BookReport {
  accepted: number;
  already_imported: number;
  refused: Record<string, number>;
  processed: number;
  errored: Record<string, number>;
  unfinished: number;
  after_import?: Record<string, EndpointReport>;
}

export interface ExpectedBook {
  accounts: number;
  processed: number;
  refused: Record<string, number>;
}

/** Files of the sample, of what it should come to, and of what came of it. */
export interface BookPaths {
  book: string;
  expectedBook: string;
  afterImport: string;
  expectedAfterImport: string;
  /** Where the after-import file goes when some of its lines are left out. */
  shortened: string;
  errors: string;
  report: string;
}

const INSTRUCTIONS = 'payment-instruction';

/** Sends the sample book with the supplier's own tool, which knows nothing but the public API. */
export class BookImport {
  private child: ChildProcess | undefined;
  private withInstructions = true;

  constructor(
    private readonly script: string,
    readonly paths: BookPaths,
  ) {}

  /** The sample's payment instructions are the sandbox's: no other vendor knows them. */
  leaveOutInstructions(): void {
    this.withInstructions = false;
  }

  /** @returns the importer's report, or undefined when it was stopped before it wrote one */
  async run(baseUrl: string, apiKey: string, env: NodeJS.ProcessEnv): Promise<BookReport | undefined> {
    const { book, errors, report } = this.paths;
    rmSync(report, { force: true });
    const input = ['--file', book, '--after-import', this.afterImportFile()];
    const args = [...input, '--base-url', baseUrl, '--errors', errors, '--report', report];
    this.child = spawn(process.execPath, [this.script, ...args], {
      stdio: 'inherit',
      env: { ...env, PORTAGE_API_KEY: apiKey },
    });
    await new Promise((resolve) => this.child?.once('exit', resolve));
    this.child = undefined;
    return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as BookReport) : undefined;
  }

  stop(): void {
    this.child?.kill('SIGTERM');
  }

  /** The account that some of everything is added to. */
  firstAddedTo(): { supplier: string; externalAccountNumber: string } {
    const [first = ''] = readFileSync(this.paths.afterImport, 'utf8').split('\n', 1);
    const { body } = JSON.parse(first) as {
      body: { import_supplier: string; external_account_number: string };
    };
    return { supplier: body.import_supplier, externalAccountNumber: body.external_account_number };
  }

  /** What is not as the sample book should come to, the first time or any other; empty when everything is. */
  unexpected(report: BookReport | undefined): string[] {
    if (!report) return ['The import was interrupted before its summary.'];
    return [...this.unexpectedAccounts(report), ...this.unexpectedAdditions(report.after_import ?? {})];
  }

  private unexpectedAccounts(report: BookReport): string[] {
    const expected = JSON.parse(readFileSync(this.paths.expectedBook, 'utf8')) as ExpectedBook;
    const problems: string[] = [];
    const imported = report.processed + report.already_imported;
    if (imported !== expected.processed)
      problems.push(`${imported} accounts are imported instead of ${expected.processed}.`);
    if (!isDeepStrictEqual(report.refused, expected.refused))
      problems.push(
        `Refused were ${JSON.stringify(report.refused)} instead of ${JSON.stringify(expected.refused)}.`,
      );
    if (Object.keys(report.errored).length > 0)
      problems.push(`Errored were ${JSON.stringify(report.errored)}.`);
    if (report.unfinished > 0) problems.push(`${report.unfinished} accounts have not come to an end.`);
    return problems;
  }

  private unexpectedAdditions(report: Record<string, EndpointReport>): string[] {
    const all = JSON.parse(readFileSync(this.paths.expectedAfterImport, 'utf8')) as typeof report;
    const expected = new Map(
      Object.entries(all).filter(([endpoint]) => this.withInstructions || endpoint !== INSTRUCTIONS),
    );
    const endpoints = new Set([...expected.keys(), ...Object.keys(report)]);
    return [...endpoints].flatMap((endpoint) => {
      const [is, should] = [report[endpoint], expected.get(endpoint)].map(onTheAccounts);
      return isDeepStrictEqual(is, should)
        ? []
        : [`To ${endpoint} came ${JSON.stringify(is)} instead of ${JSON.stringify(should)}.`];
    });
  }

  private afterImportFile(): string {
    const { afterImport, shortened } = this.paths;
    if (this.withInstructions) return afterImport;
    const lines = readFileSync(afterImport, 'utf8').split('\n');
    const kept = lines.filter((line) => !line.startsWith(`{"endpoint":"${INSTRUCTIONS}"`));
    writeFileSync(shortened, kept.join('\n'));
    return shortened;
  }
}

/** What holds after the first run as after any other: then, what was added is there already. */
function onTheAccounts(report: EndpointReport | undefined) {
  if (!report) return undefined;
  const { requests, added, already_there, refused, failed } = report;
  return { requests, on_the_accounts: added + already_there, refused, failed };
}
