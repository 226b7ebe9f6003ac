import type { InsertedImport, ScheduledImport } from '@portage/database';
import type { AccountLabel } from '../../follow-ups/account-follow-ups';

/** Inserts import processes and adds their jobs. */
export abstract class ImportProcessStore {
  /**
   * Inserts a process, unless it exists or one of its preconditions has findings. Its job is added after the commit; if
   * that fails, the sweeper adds it.
   *
   * @param label the names of the account in the payload of its job
   * @throws the database's unique violation `import_process_identifier` when another request takes the
   * `externalIdentifier` concurrently
   */
  abstract insert(scheduled: ScheduledImport, label: AccountLabel): Promise<InsertedImport>;
}
