import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** What the importer reports of a book, and what the sample book should come to. */
export interface BookReport {
  accepted: number;
  already_imported: number;
  refused: Record<string, number>;
  processed: number;
  errored: Record<string, number>;
  unfinished: number;
}

export interface ExpectedBook {
  accounts: number;
  processed: number;
  refused: Record<string, number>;
}

/** Sends the sample book with the supplier's own tool, which knows nothing but the public API. */
export class BookImport {
  private child: ChildProcess | undefined;

  constructor(
    private readonly script: string,
    private readonly paths: { book: string; expected: string; errors: string; report: string },
  ) {}

  /** @returns the importer's report, or undefined when it was stopped before it wrote one */
  async run(baseUrl: string, apiKey: string, env: NodeJS.ProcessEnv): Promise<BookReport | undefined> {
    const { book, errors, report } = this.paths;
    rmSync(report, { force: true });
    const args = ['--file', book, '--base-url', baseUrl, '--errors', errors, '--report', report];
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

  /** What is not as the sample book should come to; empty when everything is. */
  unexpected(report: BookReport | undefined): string[] {
    if (!report) return ['The import was interrupted before its summary.'];
    const expected = JSON.parse(readFileSync(this.paths.expected, 'utf8')) as ExpectedBook;
    const problems: string[] = [];
    const imported = report.processed + report.already_imported;
    if (imported !== expected.processed)
      problems.push(`${imported} accounts are imported instead of ${expected.processed}.`);
    if (!isDeepStrictEqual(sorted(report.refused), sorted(expected.refused)))
      problems.push(
        `Refused were ${JSON.stringify(report.refused)} instead of ${JSON.stringify(expected.refused)}.`,
      );
    if (Object.keys(report.errored).length > 0)
      problems.push(`Errored were ${JSON.stringify(report.errored)}.`);
    if (report.unfinished > 0) problems.push(`${report.unfinished} accounts have not come to an end.`);
    return problems;
  }
}

const sorted = (counts: Record<string, number>) =>
  Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
