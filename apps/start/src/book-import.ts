import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** The importer's counts of requests to one endpoint, and the expected ones of the sample. */
export interface EndpointReport {
  requests: number;
  added: number;
  already_there: number;
  refused: Record<string, number>;
  failed: number;
}

/** A measure of a reconciliation: counts, or decimal text. */
interface Measure {
  measure: string;
  expected: number | string | null;
  received: number | string;
  imported: number | string;
  refused_or_errored: number | string;
  difference: number | string;
}

/** The importer's report on a submission. */
export interface SubmissionReport {
  status: string;
  reconciliation: { unfinished: number; measures: Measure[] } | null;
}

/** The importer's report on a book and on the additions to its accounts. */
export interface BookReport {
  accepted: number;
  already_imported: number;
  refused: Record<string, number>;
  processed: number;
  errored: Record<string, number>;
  unfinished: number;
  submissions?: SubmissionReport[];
  after_import?: Record<string, EndpointReport>;
}

/** The expected result of the sample book. */
export interface ExpectedBook {
  accounts: number;
  processed: number;
  refused: Record<string, number>;
}

/** The files of the sample, of its expected result, and of the actual result. */
export interface BookPaths {
  book: string;
  expectedBook: string;
  afterImport: string;
  expectedAfterImport: string;
  /** The after-import file without payment instructions, written if they are left out. */
  shortened: string;
  errors: string;
  report: string;
}

const INSTRUCTIONS_ENDPOINT = 'payment-instruction';

/** Imports the sample book with the supplier's importer, which uses the public API only. */
export class BookImport {
  private child: ChildProcess | undefined;
  private withInstructions = true;

  constructor(
    private readonly script: string,
    readonly paths: BookPaths,
  ) {}

  /** Leaves out the payment instructions of the sample, which exist in the sandbox only. */
  leaveOutInstructions(): void {
    this.withInstructions = false;
  }

  /**
   * Runs the importer as a child process.
   *
   * @returns its report, or undefined if it was stopped before it wrote one
   */
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

  /** Stops the importer if it is running. */
  stop(): void {
    this.child?.kill('SIGTERM');
  }

  /** An account of the sample that has an addition of each kind. */
  exampleAccount(): { supplier: string; externalAccountNumber: string } {
    const [first = ''] = readFileSync(this.paths.afterImport, 'utf8').split('\n', 1);
    const { body } = JSON.parse(first) as {
      body: { import_supplier: string; external_account_number: string };
    };
    return { supplier: body.import_supplier, externalAccountNumber: body.external_account_number };
  }

  /** The differences between the report and the expected result, which is the same for every run. */
  findProblems(report: BookReport | undefined): string[] {
    if (!report) return ['The import was interrupted before its summary.'];
    return [...this.findAccountProblems(report), ...this.findAdditionProblems(report.after_import ?? {})];
  }

  private findAccountProblems(report: BookReport): string[] {
    const expected = JSON.parse(readFileSync(this.paths.expectedBook, 'utf8')) as ExpectedBook;
    const problems: string[] = [];
    const imported = report.processed + report.already_imported;
    if (imported !== expected.processed)
      problems.push(`${imported} accounts are imported. Expected: ${expected.processed}.`);
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
    const all = JSON.parse(readFileSync(this.paths.expectedAfterImport, 'utf8')) as typeof report;
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

  private afterImportFile(): string {
    const { afterImport, shortened } = this.paths;
    if (this.withInstructions) return afterImport;
    const lines = readFileSync(afterImport, 'utf8').split('\n');
    const remaining = lines.filter((line) => !line.startsWith(`{"endpoint":"${INSTRUCTIONS_ENDPOINT}"`));
    writeFileSync(shortened, remaining.join('\n'), { mode: 0o600 });
    return shortened;
  }
}

/** The code of lines that the importer does not send, because they are not accounts. */
const NOT_SENT = 'parse_error';

/**
 * The faulty accounts are the only difference: everything else that was sent is imported, by every measure, as the
 * account tables have it.
 */
function findReconciliationProblems(
  { submissions = [] }: BookReport,
  { accounts, processed, refused }: ExpectedBook,
): string[] {
  const [submission, ...others] = submissions;
  if (submission?.status !== 'FINISHED' || !submission.reconciliation || others.length > 0)
    return [`Submissions: ${JSON.stringify(submissions)}. Expected: one that has finished.`];
  const { measures, unfinished } = submission.reconciliation;
  const sent = accounts - (refused[NOT_SENT] ?? 0);
  const wanted = {
    measure: 'accounts',
    expected: sent,
    received: sent,
    imported: processed,
    refused_or_errored: sent - processed,
    erased: 0,
    difference: processed - sent,
  };
  const [first, ...rest] = measures;
  const problems = rest
    .filter(({ expected, difference }) => expected !== null || Number(difference) !== 0)
    .map((measure) => `The reconciliation has a difference: ${JSON.stringify(measure)}.`);
  if (unfinished > 0 || !isDeepStrictEqual(first, wanted))
    problems.push(`Reconciled: ${JSON.stringify(first)}. Expected: ${JSON.stringify(wanted)}.`);
  return problems;
}

/** The counts that are the same for each run: additions of an earlier run are already there in a later one. */
function toComparableReport(report: EndpointReport | undefined) {
  if (!report) return undefined;
  const { requests, added, already_there, refused, failed } = report;
  return { requests, on_the_accounts: added + already_there, refused, failed };
}
