import type { InsertedImport, ScheduledImport } from '@portage/database';

/** Inserts import processes. */
export abstract class ImportProcessStore {
  /**
   * Inserts a process, unless it exists or one of its preconditions has findings.
   *
   * @throws the database's unique violation `import_process_identifier` when another request takes the
   * `externalIdentifier` concurrently
   */
  abstract insert(scheduled: ScheduledImport): Promise<InsertedImport>;
}
