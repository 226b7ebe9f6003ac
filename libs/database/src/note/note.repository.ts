import { Injectable } from '@nestjs/common';
import { toUtcSeconds } from '@portage/domain';
import type { Executor, Statement } from '../connection/database';

/** The fields that identify a note within its account. */
export interface IdentifiedNote {
  body: string | null;
  documentPaths: string[];
  /** Truncated to seconds. */
  createdAt: Date;
}

/** A note to be stored. */
export interface NewNote {
  body: string | undefined;
  createdAt: Date;
  externalId: string | undefined;
  isPinned: boolean;
  /** As requests write it: YYYY-MM-DDTHH:MM:SSZ. */
  unpinAt: string | undefined;
  isArchived: boolean;
  documentPaths: readonly string[];
}

const findMatching: Statement = {
  name: 'find-matching-notes',
  // A note without a body is identified by its documents, so all such notes are read.
  text: `
    SELECT body, document_paths AS "documentPaths", created_at AS "createdAt" FROM note
    WHERE account_id = $1 AND (body = ANY($2::text[]) OR body IS NULL)`,
};

const add: Statement = {
  name: 'add-notes',
  text: `
    INSERT INTO note (account_id, actor, body, created_at, external_id, is_pinned, unpin_at, is_archived,
      document_paths)
    SELECT $1, $3, body, "createdAt", "externalId", "isPinned", "unpinAt", "isArchived", "documentPaths"
    FROM json_to_recordset($2::json) AS note (body text, "createdAt" timestamptz, "externalId" text,
      "isPinned" boolean, "unpinAt" timestamptz, "isArchived" boolean, "documentPaths" text[])`,
};

/** Notes of accounts. The caller holds the lock of the account from `findMatching` to `add`. */
@Injectable()
export class NoteRepository {
  /** The account's notes with one of the bodies, and those without a body. */
  async findMatching(
    executor: Executor,
    accountId: string,
    bodies: readonly string[],
  ): Promise<IdentifiedNote[]> {
    const notes = await executor.run<Omit<IdentifiedNote, 'createdAt'> & { createdAt: string }>(
      findMatching,
      [accountId, bodies],
    );
    return notes.map((note) => ({ ...note, createdAt: new Date(toUtcSeconds(note.createdAt)) }));
  }

  /** Adds notes to the account, in the name of the actor. */
  async add(executor: Executor, accountId: string, notes: readonly NewNote[], actor: string): Promise<void> {
    if (notes.length > 0) await executor.run(add, [accountId, JSON.stringify(notes), actor]);
  }
}
