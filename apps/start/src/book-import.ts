import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SamplePart } from './sample';

/** The importer's counts of one kind of additions, and the expected ones of the sample. */
export interface AdditionsReport {
  lines: number;
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
  /** By kind, from the report on the book of additions. */
  additions?: Record<string, AdditionsReport>;
}

/** The expected result of a part of the sample book. */
export interface ExpectedBook {
  accounts: number;
  processed: number;
  refused: Record<string, number>;
  /** The totals of what is to be imported, by measure. */
  totals: Record<string, number | string>;
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
      ...(this.part.changed === undefined ? [] : ['--mode', 'create-or-correct', '--plan', '--yes']),
      ...['--base-url', baseUrl],
    ];
    const report = await this.runImporter('', args, apiKey, env);
    const additions = this.additionsFile();
    if (report === undefined || additions === undefined || this.isStopped) return report;
    const ofAdditions = ['--file', additions, '--kind', 'additions', '--base-url', baseUrl];
    const added = await this.runImporter('additions-', ofAdditions, apiKey, env);
    return { ...report, additions: added?.additions ?? {} };
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
    await new Promise((resolve) => this.child?.once('exit', resolve));
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
    const [first = ''] = readFileSync(this.part.additions.file, 'utf8').split('\n', 1);
    const { notes: body } = JSON.parse(first) as {
      notes: { import_supplier: string; external_account_number: string };
    };
    return { supplier: body.import_supplier, accountNumber: body.external_account_number };
  }

  /** The differences between the report and the expected result, which is the same for every run. */
  findProblems(report: BookReport | undefined): string[] {
    if (!report) return [`The import has ended early. The end of ${this.log}:\n${this.logTail()}`];
    return [...this.findAccountProblems(report), ...this.findAdditionProblems(report.additions ?? {})];
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

  private findAdditionProblems(report: Record<string, AdditionsReport>): string[] {
    const all = this.part.additions
      ? (JSON.parse(readFileSync(this.part.additions.expected, 'utf8')) as typeof report)
      : {};
    const expected = new Map(
      Object.entries(all).filter(([kind]) => this.withInstructions || kind !== INSTRUCTIONS),
    );
    const kinds = new Set([...expected.keys(), ...Object.keys(report)]);
    return [...kinds].flatMap((kind) => {
      const [actual, wanted] = [report[kind], expected.get(kind)].map(toComparableReport);
      return isDeepStrictEqual(actual, wanted)
        ? []
        : [`${kind}: ${JSON.stringify(actual)}. Expected: ${JSON.stringify(wanted)}.`];
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

  /** The book of additions, without payment instructions if they are left out. */
  private additionsFile(): string | undefined {
    const file = this.part.additions?.file;
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
function toComparableReport(report: AdditionsReport | undefined) {
  if (!report) return undefined;
  const { lines, added, existing, failed } = report;
  return { lines, on_the_accounts: added + existing, failed };
}
