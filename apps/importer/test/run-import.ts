import { systemClock } from '@portage/client';
import { type BookSource, importBook, type ImportOutcome, openSource } from '../src/import-book';
import { type ImportOptions, parseOptions } from '../src/options';
import type { RunContext } from '../src/run/run-context';
import { StopRequest } from '../src/run/stop-request';

/** Runs the tool with short timeouts, without files that the options do not name, and without the usual pauses. */
export async function runImport(
  options: Partial<ImportOptions> & Pick<ImportOptions, 'baseUrl'>,
  context: Partial<RunContext> = {},
): Promise<ImportOutcome> {
  const defaults = parseOptions(['--file', 'book', '--base-url', options.baseUrl.href], 'key');
  if (!defaults) throw new Error('The options ask for help.');
  const stop = context.stop ?? new StopRequest(() => undefined);
  const given: ImportOptions = {
    ...defaults,
    waitMs: 5_000,
    retryMs: 5_000,
    timeoutMs: 1_000,
    ...options,
  };
  const run: RunContext = {
    stop,
    progress: { show: () => undefined, note: () => undefined, end: () => undefined },
    progressEveryMs: 1_000,
    clock: systemClock,
    // Backoff is nearly zero, except for Retry-After.
    random: () => 0.001,
    ...context,
  };
  let source: BookSource | undefined;
  try {
    source = await openSource(given, run);
    return await importBook(source, given, run);
  } finally {
    stop.removeListeners();
    await source?.close();
  }
}
