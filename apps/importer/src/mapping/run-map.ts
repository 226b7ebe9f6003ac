import { resolve } from 'node:path';
import { printOutput } from '../terminal';
import { UsageError } from '../usage-error';
import { describeOutcome, mapAccounts } from './map-accounts';
import type { MapOptions } from './map-options';
import { type MapContext, Mapper } from './mapper';
import { type Mapping, readMapping } from './mapping';
import { OutputFile } from './output-file';
import { noRejectedRows, RejectedFiles, rejectedPaths, type RejectedRows } from './rejected-rows';

/**
 * Performs map check or map book, and prints its outcome.
 *
 * @param now the day that rules compare with
 * @returns true if every row became part of an account without errors
 * @throws UsageError if the mapping or a file is wrong; then nothing was written
 */
export async function runMap(options: MapOptions, now: Date, context: MapContext): Promise<boolean> {
  const mapping = await readMapping(options.mapping, options.kind);
  expectOtherPaths([options.out, ...rejectedPaths(options.rejected, mapping)], options.mapping, mapping);
  const book = options.out === undefined ? undefined : await OutputFile.create(options.out);
  let rejected: RejectedRows = noRejectedRows;
  let mapper: Mapper | undefined;
  try {
    if (options.rejected !== undefined)
      rejected = await RejectedFiles.create(options.rejected, mapping.accounts, mapping.children);
    mapper = await Mapper.open(mapping, now, context);
    const target = {
      writeLine: async (line: string) => book?.write(line),
      rejected,
      rows: options.rows,
    };
    const outcome = await mapAccounts(mapper, target, context);
    if (context.stop.signal.aborted) throw new UsageError('Stopped: no file was written.');
    const paths = await rejected.close();
    await book?.close();
    context.progress.end();
    for (const line of describeOutcome(outcome, mapper)) printOutput(`${line}\n`);
    if (options.out !== undefined) printOutput(`The book is ${options.out}.\n`);
    if (paths.length > 0) printOutput(`Rows that are not in the book: ${paths.join(', ')}.\n`);
    return outcome.rejected === 0 && outcome.orphans.size === 0;
  } catch (error) {
    await rejected.discard();
    await book?.discard();
    throw error;
  } finally {
    context.progress.end();
    await mapper?.close();
  }
}

/**
 * @param written the paths that are written; undefined is none
 * @throws UsageError if a file would be written over one that is read, or twice
 */
export function expectOtherPaths(
  written: readonly (string | undefined)[],
  path: string,
  mapping: Mapping,
): void {
  const taken = new Set([path, ...mapping.paths].map((one) => resolve(one)));
  for (const one of written.filter((given) => given !== undefined)) {
    if (taken.has(resolve(one)))
      throw new UsageError(`${one} is read or written by this run already: give another path.`);
    taken.add(resolve(one));
  }
}
