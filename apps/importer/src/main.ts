import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { systemClock } from '@portage/client';
import type { AfterImportSummary } from './after-import/after-import-tally';
import { importBook, type ImportOutcome } from './import-book';
import { type ImportOptions, parseOptions } from './options';
import type { CountByCode } from './run/counts';
import type { RunContext } from './run/run-context';
import { type Progress, PROGRESS_LINE_INTERVAL_MS, ProgressBars, ProgressLines } from './run/progress';
import { INTERRUPTED, StopRequest } from './run/stop-request';
import { afterImportTable, summaryTable, total } from './run/summary-table';
import type { Summary } from './run/validation-tally';
import { findDifferences, type SubmissionOutcome } from './submission/submission-outcome';
import { reconciliationTable } from './submission/submission-table';
import { printMessage, printOutput } from './terminal';
import { UsageError } from './usage-error';

const EXIT_OK = 0;
const EXIT_INCOMPLETE = 1;
const EXIT_USAGE = 2;

/** The supplier's tool: imports accounts and adds data to them through the public API, its only dependency on the service. */
async function main(): Promise<number> {
  // The importer is a separate tool and does not use the service's configuration. The key can come from the
  // environment, because other users can read arguments in the list of processes.
  // oxlint-disable-next-line portage/no-environment
  const options = parseOptions(process.argv.slice(2), process.env['PORTAGE_API_KEY']);
  if (options === undefined) return EXIT_OK;
  if (options.report !== undefined) await expectWritableFolder(options.report);

  const stop = new StopRequest(() => {
    printMessage(
      '\nStopping: an upload ends now, other requests in progress are finished. Press Ctrl-C again to stop immediately.\n',
    );
  });
  try {
    const outcome = await importBook(options, {
      stop,
      ...progressFor(),
      clock: systemClock,
      random: Math.random,
      ...confirmFor(options),
    });
    return await reportOutcome(options, outcome, stop.isReceived);
  } catch (error) {
    // Stopped during sign-in: nothing was sent, and the error is a consequence of the stop.
    if (stop.isReceived) return INTERRUPTED;
    throw error;
  } finally {
    stop.removeListeners();
  }
}

/** Fails before the run instead of at its end. */
async function expectWritableFolder(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(
      `The summary cannot be written to ${path}. Give --report a path in a folder that exists.`,
    );
  });
}

function progressFor(): { progress: Progress; progressEveryMs: number } {
  if (process.stderr.isTTY) return { progress: new ProgressBars(), progressEveryMs: 100 };
  return { progress: new ProgressLines(printMessage), progressEveryMs: PROGRESS_LINE_INTERVAL_MS };
}

/** Nobody is asked without a terminal. */
function confirmFor({ yes }: ImportOptions): Pick<RunContext, 'confirm'> {
  if (yes) return { confirm: async () => Promise.resolve(true) };
  if (!process.stdin.isTTY || !process.stderr.isTTY) return {};
  return {
    confirm: async (question) => {
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return /^y(es)?$/i.test((await terminal.question(question)).trim());
      } finally {
        terminal.close();
      }
    },
  };
}

async function reportOutcome(
  options: ImportOptions,
  { summary, plan, submissions, afterImport, afterImportIgnoredFields: ignored, failure }: ImportOutcome,
  stopped: boolean,
): Promise<number> {
  if (summary !== undefined) printOutput(`${summaryTable(summary)}\n`);
  for (const submission of submissions) printOutput(reconciliationTable(submission));
  if (afterImport !== undefined) printOutput(`${afterImportTable(afterImport)}\n`);
  if (options.report !== undefined) {
    const report = {
      ...summary,
      ...(plan && { plan }),
      ...(submissions.length > 0 && { submissions }),
      ...(afterImport && { after_import: afterImport, after_import_ignored_fields: ignored }),
    };
    await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
  }
  describeIgnoredFields(summary?.ignored_fields, 'accounts', options).forEach(printMessage);
  const isReconciled = submissions.every((submission) => findDifferences(submission).length === 0);
  describeIgnoredFields(ignored, 'after-import requests', options).forEach(printMessage);
  const problems = [...describeFailedAccounts(summary, options), ...describeFailedRequests(afterImport)];
  for (const sentence of [...problems, ...submissions.flatMap(describeDifferences)])
    printMessage(`${sentence}\n`);
  if (problems.length > 0) {
    printMessage(
      options.errors === undefined
        ? 'Use --errors FILE to list them.\n'
        : `They are listed in ${options.errors}.\n`,
    );
  }
  if (failure !== undefined) printMessage(`The run ended early: ${failure.message.replace(/\.$/, '')}.\n`);
  if (stopped) printMessage('The run was stopped before it was complete.\n');
  const incomplete = problems.length > 0 || failure !== undefined || !isReconciled;
  if (problems.length > 0 && options.rejected !== undefined)
    printMessage(`The refused lines of the book are in ${options.rejected}.\n`);
  if (stopped || incomplete) printMessage(describeNextRun(submissions));
  if (stopped) return INTERRUPTED;
  return incomplete ? EXIT_INCOMPLETE : EXIT_OK;
}

function describeFailedAccounts(
  summary: Summary | undefined,
  { wait, validateOnly }: ImportOptions,
): string[] {
  if (summary === undefined) return [];
  const failed = total(summary.refused) + total(summary.errored) + summary.unreachable;
  const waiting = wait && !validateOnly ? summary.unfinished : 0;
  const { conflicting, already_imported_differing: differing } = summary;
  const sentences: string[] = [];
  if (failed > 0)
    sentences.push(`${failed} accounts are not ${validateOnly ? 'valid or were not checked' : 'imported'}.`);
  if (conflicting > 0)
    sentences.push(
      `${conflicting} lines are about the same accounts with different content, so they were not sent.`,
    );
  if (differing > 0)
    sentences.push(`${differing} accounts were imported before with other content, which is unchanged.`);
  if (waiting > 0)
    sentences.push(
      `${waiting} accounts are accepted but not processed yet; processing continues without this tool.`,
    );
  return sentences;
}

/** Why a submission is not reconciled. */
function describeDifferences(submission: SubmissionOutcome): string[] {
  const differences = findDifferences(submission);
  if (differences.length === 0) return [];
  return [
    `Submission ${submission.id} (${submission.reference}) is not reconciled: ${differences.join(', ')}.`,
  ];
}

function describeNextRun(submissions: readonly SubmissionOutcome[]): string {
  if (submissions.length === 0)
    return 'It is safe to run the same command again: accounts and data that were already imported are skipped.\n';
  return submissions.every(({ status }) => status === 'FINISHED' || status === 'AWAITING_RELEASE')
    ? 'The same command shows this outcome again. Correct the lines that were not imported (--rejected has them) and send them as a book of their own.\n'
    : 'It is safe to run the same command again: it goes on with the submission, and accounts that were received are recognised.\n';
}

function describeFailedRequests(summary: AfterImportSummary = {}): string[] {
  const endpoints = Object.values(summary);
  const left = endpoints.reduce((sum, one) => sum + total(one.refused) + one.failed, 0);
  const differing = endpoints.reduce((sum, one) => sum + (one.differing ?? 0), 0);
  const sentences: string[] = [];
  if (left > 0) sentences.push(`${left} after-import requests added nothing.`);
  if (differing > 0)
    sentences.push(`${differing} transactions exist with other content, which is unchanged.`);
  return sentences;
}

/** The number of ignored values, and the most frequent fields. */
function describeIgnoredFields(
  fields: CountByCode | undefined,
  where: string,
  { rejectUnknown }: ImportOptions,
): string[] {
  const paths = Object.keys(fields ?? {});
  if (fields === undefined || paths.length === 0 || (rejectUnknown && where === 'accounts')) return [];
  const shown = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ', ...' : '');
  const advice =
    where === 'accounts' ? ' --reject-unknown lists such accounts, and sends no book with them.' : '';
  return [
    `The service ignored ${total(fields)} values of ${where} in fields that it does not know: ${shown}.${advice}\n`,
  ];
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const usage = error instanceof UsageError;
    printMessage(
      usage
        ? `${error.message}\n`
        : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = usage ? EXIT_USAGE : EXIT_INCOMPLETE;
  },
);
