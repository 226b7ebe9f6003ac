import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SamplePart } from './sample';

/** The importer's counts of one kind of additions. */
export interface AdditionsReport {
  added: number;
  existing: number;
  /** Lines that have added nothing, by code. */
  failed: Record<string, number>;
}

/** A measure of a reconciliation: counts, or decimal text. */
export interface Measure {
  measure: string;
  currency?: string;
  expected: number | string | null;
  imported: number | string;
}

/** The importer's report on a submission. */
export interface SubmissionReport {
  status: string;
  reconciliation: { reconciled: boolean; measures: Measure[] } | null;
}

/** The importer's report on a book and on the additions to its accounts. */
export interface BookReport {
  already_imported: number;
  refused: Record<string, number>;
  processed: number;
  corrected: number;
  unchanged: number;
  /** What a book that is sent again would do; undefined if an earlier start has sent it. */
  plan?: Record<'would_create' | 'would_correct' | 'unchanged' | 'refused', number>;
  /** Undefined if it could not be opened. */
  submission?: SubmissionReport;
  /** By kind, from the report on the book of additions. */
  additions?: Record<string, AdditionsReport>;
}

const INSTRUCTIONS = 'payment_instruction';

/** Imports a part of the sample book with the supplier's importer, which uses the public API only. */
export class BookImport {
  /** All errors of the accounts that were refused. */
  readonly errors: string;
  private readonly log: string;
  private child: ChildProcess | undefined;
  private withInstructions = true;
  private isStopped = false;
  /** Of the importer that has ended last. */
  private exitCode: number | null = null;

  /** @param directory where the importer's files are written */
  constructor(
    private readonly script: string,
    readonly part: SamplePart,
    private readonly directory: string,
  ) {
    this.errors = this.path('errors.csv');
    this.log = this.path('import.log');
  }

  /** Leaves out the payment instructions of the sample, which exist in the sandbox only. */
  leaveOutInstructions(): void {
    this.withInstructions = false;
  }

  /**
   * Imports the book, and then its additions.
   *
   * @returns the importer's report, with what was added; undefined if it ended before it wrote one
   */
  async run(baseUrl: string, apiKey: string, env: NodeJS.ProcessEnv): Promise<BookReport | undefined> {
    const args = [
      ...['--file', this.part.book, '--expected', this.expectedTotals()],
      ...(this.part.isSecondVersion ? ['--mode', 'create-or-correct', '--plan', '--yes'] : []),
      ...['--base-url', baseUrl],
    ];
    const report = await this.runImporter('', args, apiKey, env);
    const additions = this.additionsFile();
    if (report === undefined || additions === undefined || this.isStopped) return report;
    const ofAdditions = ['--file', additions, '--kind', 'additions', '--base-url', baseUrl];
    const added = await this.runImporter('additions-', ofAdditions, apiKey, env);
    return { ...report, additions: added?.additions };
  }

  /** Runs the importer as a child process. Its output goes to a log. */
  private async runImporter(
    prefix: string,
    args: readonly string[],
    apiKey: string,
    env: NodeJS.ProcessEnv,
  ): Promise<BookReport | undefined> {
    const path = this.path(`${prefix}report.json`);
    rmSync(path, { force: true });
    const files = ['--errors', this.path(`${prefix}errors.csv`), '--report', path];
    const log = openSync(this.path(`${prefix}import.log`), 'w', 0o600);
    try {
      this.child = spawn(process.execPath, [this.script, ...args, ...files], {
        stdio: ['ignore', log, log],
        env: { ...env, PORTAGE_API_KEY: apiKey },
      });
    } finally {
      closeSync(log);
    }
    this.exitCode = await new Promise((resolve) => this.child?.once('exit', resolve));
    this.child = undefined;
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BookReport) : undefined;
  }

  /** Stops the importer if it is running. */
  stop(): void {
    this.isStopped = true;
    this.child?.kill('SIGTERM');
  }

  /** An account of the sample that has an addition of each kind; undefined if the part has no additions. */
  exampleAccount(): { supplier: string; accountNumber: string } | undefined {
    if (!this.part.additions) return undefined;
    const [first = ''] = readFileSync(this.part.additions, 'utf8').split('\n', 1);
    const { notes: body } = JSON.parse(first) as {
      notes: { import_supplier: string; external_account_number: string };
    };
    return { supplier: body.import_supplier, accountNumber: body.external_account_number };
  }

  /**
   * What is wrong with an import. The control totals of the sample are what has to be imported, and the importer compares
   * them. Its exit code alone does not tell, because the sample has lines that are refused on purpose.
   */
  findProblems(report: BookReport | undefined): string[] {
    const { additions } = this.part;
    const hasEnded = report !== undefined && (additions === undefined || report.additions !== undefined);
    const what = hasEnded ? 'is not reconciled' : `has ended early, with exit code ${this.exitCode}`;
    const { status, reconciliation } = report?.submission ?? {};
    if (hasEnded && status === 'FINISHED' && reconciliation?.reconciled) return [];
    return [`The import ${what}. The end of ${this.log}:\n${this.logTail()}`];
  }

  /** The control totals of what is to be imported. */
  private expectedTotals(): string {
    const { totals } = JSON.parse(readFileSync(this.part.expected, 'utf8')) as { totals: object };
    return Object.entries(totals)
      .map(([measure, total]) => `${measure}=${total}`)
      .join(',');
  }

  /** The book of additions, without payment instructions if they are left out. */
  private additionsFile(): string | undefined {
    const file = this.part.additions;
    if (file === undefined || this.withInstructions) return file;
    const lines = readFileSync(file, 'utf8').split('\n');
    const remaining = lines.filter((line) => !line.startsWith(`{"${INSTRUCTIONS}"`));
    const shortened = this.path('additions.ndjson');
    writeFileSync(shortened, remaining.join('\n'), { mode: 0o600 });
    return shortened;
  }

  private path(suffix: string): string {
    return join(this.directory, `${this.part.name}-${suffix}`);
  }

  private logTail(): string {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').trim().split('\n').slice(-6).join('\n') : '';
  }
}
