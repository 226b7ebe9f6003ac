import { writeFile } from 'node:fs/promises';
import { systemClock } from '@portage/client';
import type { BookKind } from './book/book-line';
import { type BookSource, importBook, type ImportOutcome, openSource } from './import-book';
import { runInit } from './mapping/init/run-init';
import { describeErrors, describeOutcome } from './mapping/map-accounts';
import { parseMapOptions } from './mapping/map-options';
import { runPreview } from './mapping/preview';
import { runMap } from './mapping/run-map';
import { type ImportOptions, parseOptions } from './options';
import { runProfile } from './profile/run-profile';
import { type CountByCode, total } from './run/counts';
import { type Progress, PROGRESS_LINE_INTERVAL_MS, ProgressBars, ProgressLines } from './run/progress';
import type { RunContext } from './run/run-context';
import { INTERRUPTED, StopRequest } from './run/stop-request';
import { summaryTable } from './run/summary-table';
import type { Summary } from './run/summary';
import { type BookPlan, describePlan } from './submission/book-plan';
import { findDifferences, type SubmissionOutcome } from './submission/submission-outcome';
import { reconciliationTable } from './submission/submission-table';
import { confirm, printMessage, printOutput } from './terminal';
import { UsageError } from './usage-error';

const WIDTH_WITHOUT_TERMINAL = 140;

const EXIT_OK = 0;
const EXIT_INCOMPLETE = 1;
const EXIT_USAGE = 2;

/**
 * The supplier's tool: imports accounts and adds data to them through the public API. `map` makes a book from CSV files
 * with the validation of the contract, and `profile` says what a file has; both need no service.
 */
async function main(): Promise<number> {
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'map') return map(rest);
  if (command === 'profile') {
    await runProfile(rest, progressFor());
    return EXIT_OK;
  }
  // The importer is a separate tool and does not use the service's configuration. The key can come from the
  // environment, because other users can read arguments in the list of processes.
  // oxlint-disable-next-line portage/no-environment
  const options = parseOptions(process.argv.slice(2), process.env['PORTAGE_API_KEY']);
  if (options === undefined) return EXIT_OK;

  const stop = newStopRequest('an upload ends now, other requests in progress are finished');
  let source: BookSource | undefined;
  try {
    source = await openSource(options, contextOf(stop));
    return await (options.plan ? planAndSend(source, options, stop) : send(source, options, stop));
  } catch (error) {
    // Stopped during sign-in: nothing was sent, and the error is a consequence of the stop.
    if (stop.isReceived) return INTERRUPTED;
    throw error;
  } finally {
    stop.removeListeners();
    await source?.close();
  }
}

function newStopRequest(consequence: string): StopRequest {
  return new StopRequest(() => {
    printMessage(`\nStopping: ${consequence}. Press Ctrl-C again to stop immediately.\n`);
  });
}

/** Maps CSV files to a book, or checks, shows or guesses a mapping. */
async function map(args: string[]): Promise<number> {
  const options = parseMapOptions(args);
  if (options === undefined) return EXIT_OK;
  if ('files' in options) {
    await runInit(options);
    return EXIT_OK;
  }
  const stop = newStopRequest('no file is written');
  try {
    const isDone =
      'command' in options
        ? runPreview(options, new Date(), contextOf(stop), terminalWidth())
        : runMap(options, new Date(), contextOf(stop));
    return (await isDone) ? EXIT_OK : EXIT_INCOMPLETE;
  } catch (error) {
    if (stop.isReceived) return INTERRUPTED;
    throw error;
  } finally {
    stop.removeListeners();
  }
}

function terminalWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : WIDTH_WITHOUT_TERMINAL;
}

/** @param plan that the user has confirmed, if there is one */
async function send(
  source: BookSource,
  options: ImportOptions,
  stop: StopRequest,
  plan?: BookPlan,
): Promise<number> {
  const outcome = await importBook(source, options, contextOf(stop));
  return reportOutcome(source, options, outcome, stop.isReceived, plan);
}

/** Rehearses the book, and sends it if the user goes on with the plan. */
async function planAndSend(source: BookSource, options: ImportOptions, stop: StopRequest): Promise<number> {
  const rehearsal = planOptions(options);
  const outcome = await importBook(source, rehearsal, contextOf(stop));
  const { plan, summary, failure } = outcome;
  if (stop.isReceived || failure !== undefined || summary === undefined || summary.unfinished > 0)
    return reportOutcome(source, rehearsal, outcome, stop.isReceived);
  // An earlier run has begun to send the book.
  if (plan === undefined) return send(source, options, stop);
  for (const line of describeMapped(source, outcome)) printOutput(`${line}\n`);
  if (await confirmPlan(plan, options, stop.signal)) return send(source, options, stop, plan);
  await writeReport(options, outcome, plan);
  return stop.signal.aborted ? INTERRUPTED : EXIT_OK;
}

function contextOf(stop: StopRequest): RunContext {
  return { stop, ...progressFor(), clock: systemClock, random: Math.random };
}

function progressFor(): { progress: Progress; progressEveryMs: number } {
  if (process.stderr.isTTY) return { progress: new ProgressBars(), progressEveryMs: 100 };
  return { progress: new ProgressLines(printMessage), progressEveryMs: PROGRESS_LINE_INTERVAL_MS };
}

/** The options of the rehearsal that makes the plan. */
function planOptions(options: ImportOptions): ImportOptions {
  return { ...options, rehearse: true, wait: true };
}

/** Prints the plan. @returns true if the book is to be sent */
async function confirmPlan(plan: BookPlan, options: ImportOptions, stop: AbortSignal): Promise<boolean> {
  printOutput(`${describePlan(plan)}\n`);
  if (options.yes) return true;
  if (plan.refused + plan.conflicting > 0) printMessage(describeErrorFile(options));
  if (process.stdin.isTTY && (await confirm('The book will be sent.', stop))) return true;
  printMessage(
    'Nothing was imported or corrected. To send the book, run the same command with --yes or without --plan.\n',
  );
  return false;
}

async function writeReport(
  { report: path }: ImportOptions,
  { summary, submission }: ImportOutcome,
  plan: BookPlan | undefined,
): Promise<void> {
  if (path === undefined) return;
  const report = {
    ...summary,
    ...(plan && { plan }),
    ...(submission && { submission }),
  };
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`, { mode: 0o600 });
}

/** @param plan of the run, if it has made one */
async function reportOutcome(
  source: BookSource,
  options: ImportOptions,
  outcome: ImportOutcome,
  stopped: boolean,
  plan?: BookPlan,
): Promise<number> {
  const { summary, submission, failure } = outcome;
  // A plan has said before what the mapping has made.
  const mapped =
    plan === undefined ? describeMapped(source, outcome) : describeErrors(outcome.rowErrors ?? []);
  for (const line of mapped) printOutput(`${line}\n`);
  if (summary !== undefined) printOutput(`${summaryTable(summary)}\n`);
  if (submission !== undefined) printOutput(reconciliationTable(submission));
  await writeReport(options, outcome, plan);
  describeIgnoredFields(summary?.ignored_fields, options.kind).forEach(printMessage);
  const differences = submission === undefined ? [] : describeDifferences(submission);
  const problems = [...describeRejectedRows(source), ...describeFailed(summary, options)];
  for (const sentence of [...problems, ...differences]) printMessage(`${sentence}\n`);
  // A run with a mapping that ends before the results of the service has written no list.
  const isListed = problems.length > 0 && (source.mapped === undefined || outcome.rowErrors !== undefined);
  if (isListed) printMessage(describeErrorFile(options));
  if (submission !== undefined) describeUnchanged(submission, options.kind).forEach(printMessage);
  if (failure !== undefined) printMessage(`The run ended early: ${failure.message.replace(/\.$/, '')}.\n`);
  if (stopped) printMessage('The run was stopped before it was complete.\n');
  const incomplete = problems.length > 0 || failure !== undefined || differences.length > 0;
  if (isListed && options.rejected !== undefined)
    printMessage(`The refused lines of the book are in ${options.rejected}.\n`);
  if (stopped || incomplete) printMessage(describeNextRun(submission, options));
  const isOutdated = options.mode !== 'create' && correctedSince(submission) > 0;
  if (isOutdated)
    printMessage(
      'The accounts are not as this book has them. To apply it again, give --reference another name.\n',
    );
  if (stopped) return INTERRUPTED;
  return incomplete || isOutdated ? EXIT_INCOMPLETE : EXIT_OK;
}

function describeErrorFile({ errors, mapping, results }: ImportOptions): string {
  const path = mapping === undefined ? errors : results;
  return path === undefined ? 'Use --errors FILE to list them.\n' : `They are listed in ${path}.\n`;
}

/** What a mapping has made, and the errors in the words of its source. */
function describeMapped({ mapped }: BookSource, { rowErrors }: ImportOutcome): string[] {
  if (mapped === undefined) return [];
  const { outcome, mapper } = mapped;
  // The errors of the service are among those of the rows.
  if (rowErrors === undefined) return describeOutcome(outcome, mapper);
  return [...describeOutcome({ ...outcome, errors: [] }, mapper), ...describeErrors(rowErrors)];
}

function describeRejectedRows({ mapped }: BookSource): string[] {
  if (mapped === undefined) return [];
  const { rejected, orphans } = mapped.outcome;
  const orphanCount = [...orphans.values()].reduce((sum, { count }) => sum + count, 0);
  const sentences: string[] = [];
  if (rejected > 0) sentences.push(`${rejected} accounts have errors of the mapping, so they were not sent.`);
  if (orphanCount > 0) sentences.push(`${orphanCount} rows belong to no account, so they were not sent.`);
  return sentences;
}

function describeFailed(
  summary: Summary | undefined,
  { wait, mode, kind, rehearse }: ImportOptions,
): string[] {
  if (summary === undefined) return [];
  const failed = total(summary.refused) + total(summary.errored);
  const waiting = wait ? summary.unfinished : 0;
  const { conflicting } = summary;
  const differingAdditions = Object.values(summary.additions ?? {}).reduce(
    (sum, one) => sum + one.different,
    0,
  );
  const sentences: string[] = [];
  if (failed > 0 && kind === 'additions') sentences.push(`${failed} lines have added nothing.`);
  else if (failed > 0)
    sentences.push(
      `${failed} accounts ${rehearse ? 'would not be' : 'are not'} ${mode === 'create' ? 'imported' : 'imported or corrected'}.`,
    );
  if (conflicting > 0)
    sentences.push(
      `${conflicting} lines are about the same accounts with different content, so they were not sent.`,
    );
  if (differingAdditions > 0)
    sentences.push(`${differingAdditions} additions exist with other content, which is unchanged.`);
  if (waiting > 0)
    sentences.push(
      `${waiting} ${kind === 'additions' ? 'lines' : 'accounts'} are accepted but not processed yet; processing continues without this tool.`,
    );
  return sentences;
}

/** Says it if every line that was received is unchanged. */
function describeUnchanged({ counts: { unchanged, received } }: SubmissionOutcome, kind: BookKind): string[] {
  if (unchanged === 0 || unchanged < received) return [];
  return [
    kind === 'additions'
      ? `Nothing was added: the accounts have everything of all ${unchanged} lines already.\n`
      : `Nothing has changed: all ${unchanged} accounts are imported with the same content.\n`,
  ];
}

/** The accounts that were corrected after this book was sent, by another book or by themselves. */
function correctedSince(submission: SubmissionOutcome | undefined): number {
  return submission?.reconciliation?.corrected_since ?? 0;
}

/** Why a submission is not reconciled. */
function describeDifferences(submission: SubmissionOutcome): string[] {
  const differences = findDifferences(submission);
  if (differences.length === 0) return [];
  return [
    `Submission ${submission.id} (${submission.reference}) is not reconciled: ${differences.join(', ')}.`,
  ];
}

function describeNextRun(
  submission: SubmissionOutcome | undefined,
  { plan, rehearse }: ImportOptions,
): string {
  if (plan && rehearse)
    return 'Nothing was imported or corrected. It is safe to run the same command again: it makes a new plan.\n';
  if (submission === undefined)
    return 'It is safe to run the same command again: what was imported or added already is skipped.\n';
  return submission.status === 'FINISHED' || submission.status === 'AWAITING_RELEASE'
    ? 'The same command shows this outcome again. Correct the lines that were not imported (--rejected has them) and send them as a book of their own.\n'
    : 'It is safe to run the same command again: it goes on with the submission, and lines that were received are recognised.\n';
}

/** The number of ignored values, and the most frequent fields. */
function describeIgnoredFields(fields: CountByCode | undefined, kind: BookKind): string[] {
  const paths = Object.keys(fields ?? {});
  if (fields === undefined || paths.length === 0) return [];
  const shown = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ', ...' : '');
  return [
    `The service ignored ${total(fields)} values of ${kind} in fields that it does not know: ${shown}.\n`,
  ];
}

// A pager that is closed has read enough.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

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
