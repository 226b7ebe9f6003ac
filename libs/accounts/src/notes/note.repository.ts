import { Injectable } from '@nestjs/common';
import { type Executor, type Statement, toUtcSeconds } from '@portage/platform';

/**
 * Notes of one statement. Its parameters are written without a pause of the event loop: 10,000 notes of 900 characters took
 * 120 ms at once.
 */
const NOTES_PER_STATEMENT = 1_000;

/** A note that is searched for. */
export interface AskedNote {
  /** Null for a note that is identified by its documents. */
  body: string | null;
  documentPaths: readonly string[];
  /** The second in which it was written; null for any time. */
  createdAt: Date | null;
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
  // At most one stored note for each note of the request, by the index note_identity.
  text: `
    SELECT ordinal::integer - 1 AS index, stored.created_at
    FROM ROWS FROM (unnest($2::text[]), json_array_elements($3::json), unnest($4::timestamptz[])) WITH ORDINALITY
      AS asked (body, document_paths, created_at, ordinal)
    CROSS JOIN LATERAL (
      SELECT note.created_at FROM note
      WHERE note.account_id = $1
        AND note_identity(note.body, note.document_paths) = note_identity(asked.body,
          ARRAY(SELECT json_array_elements_text(asked.document_paths)))
        AND note.created_at >= coalesce(date_trunc('second', asked.created_at), '-infinity')
        AND note.created_at < coalesce(date_trunc('second', asked.created_at) + interval '1 second', 'infinity')
      ORDER BY note.created_at LIMIT 1
    ) stored`,
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
  /**
   * Finds for each note the earliest stored one that has the same body, or without a body the same documents, and was
   * written in the same second if one is given.
   *
   * @returns for each note the second in which the stored one was written; undefined where there is none
   */
  async findMatching(
    executor: Executor,
    accountId: string,
    asked: readonly AskedNote[],
  ): Promise<(Date | undefined)[]> {
    const found: (Date | undefined)[] = asked.map(() => undefined);
    for (let start = 0; start < asked.length; start += NOTES_PER_STATEMENT) {
      const stretch = asked.slice(start, start + NOTES_PER_STATEMENT);
      const rows = await executor.run<{ index: number; createdAt: string }>(findMatching, [
        accountId,
        stretch.map(({ body }) => body),
        JSON.stringify(stretch.map(({ body, documentPaths }) => (body === null ? documentPaths : []))),
        stretch.map(({ createdAt }) => createdAt),
      ]);
      for (const { index, createdAt } of rows) found[start + index] = new Date(toUtcSeconds(createdAt));
    }
    return found;
  }

  /** Adds notes to the account, in the name of the actor. */
  async add(executor: Executor, accountId: string, notes: readonly NewNote[], actor: string): Promise<void> {
    for (let start = 0; start < notes.length; start += NOTES_PER_STATEMENT)
      await executor.run(add, [
        accountId,
        JSON.stringify(notes.slice(start, start + NOTES_PER_STATEMENT)),
        actor,
      ]);
  }
}
