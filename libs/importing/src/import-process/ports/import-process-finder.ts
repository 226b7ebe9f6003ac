import type { ImportProcessView, ProcessName, ProcessNaming } from '@portage/database';

/** Finds import processes by one of their two names. */
export abstract class ImportProcessFinder {
  /**
   * Finds one process.
   *
   * @returns undefined if there is none of this name
   */
  abstract find(naming: ProcessNaming, name: ProcessName): Promise<ImportProcessView | undefined>;
}
