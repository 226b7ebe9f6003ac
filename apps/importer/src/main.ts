import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AfterImportSummary } from './after-import/after-import-tally';
import { systemClock } from './clock';
import { importBook, type ImportOutcome } from './import-book';
import { type ImportOptions, parseOptions } from './options';
import { PLAIN_LINE_EVERY_MS, type Progress, ProgressBars, ProgressLines } from './run/progress';
import { INTERRUPTED, StopRequest } from './run/stop-request';
import { afterImportTable, summaryTable, total } from './run/summary-table';
import { type Summary } from './run/tally';
import { UsageError } from './usage-error';

const ALL_WELL = 0;
const SOME_LEFT = 1;
const USAGE = 2;

/** The supplier's tool: brings accounts, and what is added to them, through the public API; it knows nothing else of the service. */
async function main(): Promise<number> {
  // The importer is a tool of its own and has no part in the service's configuration. The key may come from the
  // environment because arguments can be read by anyone who can list processes.
  // eslint-disable-next-line no-restricted-syntax
  const options = parseOptions(process.argv.slice(2), process.env['PORTAGE_API_KEY']);
  if (options === undefined) return ALL_WELL;
  if (options.report !== undefined) await expectWritableFolder(options.report);

  const stop = new StopRequest(() => {
    say('\nStopping: what is under way is finished first. Press Ctrl-C again to end at once.\n');
  });
  try {
    const outcome = await importBook(options, {
      stop,
      ...progressFor(),
      clock: systemClock,
      random: Math.random,
    });
    return await tell(options, outcome, stop.received);
  } catch (error) {
    // Stopped while still signing in: nothing was begun, and nothing is wrong with the call.
    if (stop.received) return INTERRUPTED;
    throw error;
  } finally {
    stop.release();
  }
}

/** Better now than after an hour's run. */
async function expectWritableFolder(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch(() => {
    throw new UsageError(
      `The summary cannot be written to ${path}. Give --report a path in a folder that exists.`,
    );
  });
}

function progressFor(): { progress: Progress; progressEveryMs: number } {
  if (process.stderr.isTTY) return { progress: new ProgressBars(), progressEveryMs: 100 };
  return { progress: new ProgressLines(say), progressEveryMs: PLAIN_LINE_EVERY_MS };
}

async function tell(
  options: ImportOptions,
  { summary, afterImport, failure }: ImportOutcome,
  stopped: boolean,
): Promise<number> {
  if (summary !== undefined) process.stdout.write(`${summaryTable(summary)}\n`);
  if (afterImport !== undefined) process.stdout.write(`${afterImportTable(afterImport)}\n`);
  if (options.report !== undefined) {
    const report = { ...summary, ...(afterImport === undefined ? {} : { after_import: afterImport }) };
    await writeFile(options.report, `${JSON.stringify(report, null, 2)}\n`);
  }
  const left = [...accountsLeft(summary, options.wait), ...requestsLeft(afterImport)];
  for (const sentence of left) say(`${sentence}\n`);
  if (left.length > 0) {
    say(
      options.errors === undefined
        ? 'With --errors FILE each is listed.\n'
        : `${options.errors} lists each.\n`,
    );
  }
  if (failure !== undefined) say(`The run ended early: ${failure.message.replace(/\.$/, '')}.\n`);
  if (stopped) say('The run was stopped before its end.\n');
  const incomplete = left.length > 0 || failure !== undefined;
  if (stopped || incomplete)
    say('It is safe to run the same command again: what was taken already is recognised, not done twice.\n');
  if (stopped) return INTERRUPTED;
  return incomplete ? SOME_LEFT : ALL_WELL;
}

function accountsLeft(summary: Summary | undefined, waited: boolean): string[] {
  if (summary === undefined) return [];
  const failed = total(summary.refused) + total(summary.errored) + summary.unreachable;
  const waiting = waited ? summary.unfinished : 0;
  const sentences: string[] = [];
  if (failed > 0) sentences.push(`${failed} accounts are not imported.`);
  if (waiting > 0)
    sentences.push(`${waiting} accounts are accepted and not processed yet; that goes on without this tool.`);
  return sentences;
}

function requestsLeft(summary: AfterImportSummary = {}): string[] {
  const left = Object.values(summary).reduce((sum, one) => sum + total(one.refused) + one.failed, 0);
  return left === 0 ? [] : [`${left} requests after the import added nothing.`];
}

function say(text: string): void {
  process.stderr.write(text);
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const usage = error instanceof UsageError;
    say(
      usage
        ? `${error.message}\n`
        : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = usage ? USAGE : SOME_LEFT;
  },
);
