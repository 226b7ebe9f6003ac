import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SamplePart } from './sample';

/** The importer's counts of requests to one endpoint, and the expected ones of the sample. */
export interface EndpointReport {
  requests: number;
  added: number;
  already_there: number;
  refused: Record<string, number>;
  failed: number;
}

/** A measure of a reconciliation: counts, or decimal text. */
export interface Measure {
  measure: string;
  currency?: string;
  expected: number | string | null;
  imported: number | string;
  /** Of accounts that another submission has corrected since. */
  corrected_since: number | string;
}

/** The importer's report on a submission. */
export interface SubmissionReport {
  status: string;
  reconciliation: { reconciled: boolean; measures: Measure[] } | null;
}

/** The importer's report on a book and on the additions to its accounts. */
export interface BookReport {
  accepted: number;
  already_imported: number;
  refused: Record<string, number>;
  processed: number;
  corrected: number;
  unchanged: number;
  /** What a book that is sent again would do; undefined if an earlier start has sent it. */
  plan?: Record<'would_create' | 'would_correct' | 'unchanged' | 'refused', number>;
  errored: Record<string, number>;
  unfinished: number;
  submissions?: SubmissionReport[];
  after_import?: Record<string, EndpointReport>;
}

/** The expected result of a part of the sample book. */
export interface ExpectedBook {
  accounts: number;
  processed: number;
  refused: Record<string, number>;
  /** The totals of what is to be imported, by measure. */
  totals: Record<string, number | string>;
}

const INSTRUCTIONS_ENDPOINT = 'payment-instruction';

/** Imports a part of the sample book with the supplier's importer, which uses the public API only. */
export class BookImport {
  /** All errors of the accounts and requests that were refused. */
  readonly errors: string;
  private readonly report: string;
  private readonly log: string;
  /** The after-import file without payment instructions, written if they are left out. */
  private readonly shortened: string;
  private child: ChildProcess | undefined;
  private withInstructions = true;

  /** @param directory where the importer's files are written */
  constructor(
    private readonly script: string,
    readonly part: SamplePart,
    directory: string,
  ) {
    const path = (suffix: string) => join(directory, `${part.name}-${suffix}`);
    this.errors = path('errors.csv');
    this.report = path('report.json');
    this.log = path('import.log');
    this.shortened = path('after-import.ndjson');
  }

  /** Leaves out the payment instructions of the sample, which exist in the sandbox only. */
  leaveOutInstructions(): void {
    this.withInstructions = false;
  }

  /**
   * Runs the importer as a child process. Its output goes to a log.
   *
   * @returns its report, or undefined if it ended before it wrote one
   */
  async run(baseUrl: string, apiKey: string, env: NodeJS.ProcessEnv): Promise<BookReport | undefined> {
    rmSync(this.report, { force: true });
    const additions = this.afterImportFile();
    const args = [
      ...['--file', this.part.book, '--expected', this.expectedTotals()],
      ...(additions === undefined ? [] : ['--after-import', additions]),
      ...(this.part.changed === undefined ? [] : ['--mode', 'create-or-correct', '--plan', '--yes']),
      ...['--base-url', baseUrl, '--errors', this.errors, '--report', this.report],
    ];
    const log = openSync(this.log, 'w', 0o600);
    try {
      this.child = spawn(process.execPath, [this.script, ...args], {
        stdio: ['ignore', log, log],
        env: { ...env, PORTAGE_API_KEY: apiKey },
      });
    } finally {
      closeSync(log);
    }
    await new Promise((resolve) => this.child?.once('exit', resolve));
    this.child = undefined;
    return existsSync(this.report)
      ? (JSON.parse(readFileSync(this.report, 'utf8')) as BookReport)
      : undefined;
  }

  /** Stops the importer if it is running. */
  stop(): void {
    this.child?.kill('SIGTERM');
  }

  /** An account of the sample that has an addition of each kind; undefined if the part has no additions. */
  exampleAccount(): { supplier: string; accountNumber: string } | undefined {
    if (!this.part.afterImport) return undefined;
    const [first = ''] = readFileSync(this.part.afterImport.file, 'utf8').split('\n', 1);
    const { body } = JSON.parse(first) as {
      body: { import_supplier: string; external_account_number: string };
    };
    return { supplier: body.import_supplier, accountNumber: body.external_account_number };
  }

  /** The differences between the report and the expected result, which is the same for every run. */
  findProblems(report: BookReport | undefined): string[] {
    if (!report) return [`The import has ended early. The end of ${this.log}:\n${this.logTail()}`];
    return [...this.findAccountProblems(report), ...this.findAdditionProblems(report.after_import ?? {})];
  }

  private findAccountProblems(report: BookReport): string[] {
    const expected = this.expected();
    const problems: string[] = [];
    const { changed = 0 } = this.part;
    const imported = report.processed + report.already_imported + report.corrected + report.unchanged;
    if (imported !== expected.processed)
      problems.push(`${imported} accounts are imported. Expected: ${expected.processed}.`);
    if (report.corrected !== changed)
      problems.push(`${report.corrected} accounts are corrected. Expected: ${changed}.`);
    if (!isDeepStrictEqual(report.refused, expected.refused))
      problems.push(
        `Refused: ${JSON.stringify(report.refused)}. Expected: ${JSON.stringify(expected.refused)}.`,
      );
    if (Object.keys(report.errored).length > 0)
      problems.push(`Errored: ${JSON.stringify(report.errored)}. Expected: none.`);
    if (report.unfinished > 0) problems.push(`${report.unfinished} accounts are unfinished.`);
    return [...problems, ...findReconciliationProblems(report, expected)];
  }

  private findAdditionProblems(report: Record<string, EndpointReport>): string[] {
    const all = this.part.afterImport
      ? (JSON.parse(readFileSync(this.part.afterImport.expected, 'utf8')) as typeof report)
      : {};
    const expected = new Map(
      Object.entries(all).filter(([endpoint]) => this.withInstructions || endpoint !== INSTRUCTIONS_ENDPOINT),
    );
    const endpoints = new Set([...expected.keys(), ...Object.keys(report)]);
    return [...endpoints].flatMap((endpoint) => {
      const [actual, wanted] = [report[endpoint], expected.get(endpoint)].map(toComparableReport);
      return isDeepStrictEqual(actual, wanted)
        ? []
        : [`${endpoint}: ${JSON.stringify(actual)}. Expected: ${JSON.stringify(wanted)}.`];
    });
  }

  private expected(): ExpectedBook {
    return JSON.parse(readFileSync(this.part.expected, 'utf8')) as ExpectedBook;
  }

  private expectedTotals(): string {
    return Object.entries(this.expected().totals)
      .map(([measure, total]) => `${measure}=${total}`)
      .join(',');
  }

  private afterImportFile(): string | undefined {
    const file = this.part.afterImport?.file;
    if (file === undefined || this.withInstructions) return file;
    const lines = readFileSync(file, 'utf8').split('\n');
    const remaining = lines.filter((line) => !line.startsWith(`{"endpoint":"${INSTRUCTIONS_ENDPOINT}"`));
    writeFileSync(this.shortened, remaining.join('\n'), { mode: 0o600 });
    return this.shortened;
  }

  private logTail(): string {
    return existsSync(this.log) ? readFileSync(this.log, 'utf8').trim().split('\n').slice(-6).join('\n') : '';
  }
}

/** Everything that should be imported is, by every measure that is expected, and nothing else that was accepted is missing. */
function findReconciliationProblems({ submissions = [] }: BookReport, { totals }: ExpectedBook): string[] {
  const [submission, ...others] = submissions;
  if (submission?.status !== 'FINISHED' || !submission.reconciliation || others.length > 0)
    return [`Submissions: ${JSON.stringify(submissions)}. Expected: one that has finished.`];
  const { measures, reconciled } = submission.reconciliation;
  const problems = Object.entries(totals).flatMap(([name, total]) => {
    const imported = importedTotal(measures.find(({ measure }) => measure === name));
    return imported === hundredths(total) ? [] : [`${name}: ${imported / 100} imported. Expected: ${total}.`];
  });
  if (!reconciled) problems.push(`The submission is not reconciled: ${JSON.stringify(measures)}.`);
  return problems;
}

/** In hundredths. What an earlier start has corrected is counted as it was sent. */
function importedTotal(measure: Measure | undefined): number {
  return measure === undefined ? NaN : hundredths(measure.imported) + hundredths(measure.corrected_since);
}

function hundredths(value: number | string): number {
  return Math.round(Number(value) * 100);
}

/** The counts that are the same for each run: additions of an earlier run are already there in a later one. */
function toComparableReport(report: EndpointReport | undefined) {
  if (!report) return undefined;
  const { requests, added, already_there, refused, failed } = report;
  return { requests, on_the_accounts: added + already_there, refused, failed };
}
