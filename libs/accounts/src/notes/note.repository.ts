import { Injectable } from '@nestjs/common';
import { type Executor, type Statement, toUtcSeconds } from '@portage/platform';

/**
 * Notes of one statement. Its parameters are written without a pause of the event loop: 10,000 notes of 900 characters took
 * 120 ms at once.
 */
const NOTES_PER_STATEMENT = 1_000;

/** A note that is searched for. */
export interface AskedNote {
  accountId: string;
  /** Set for a note that is identified by it. */
  externalId: string | null;
  /** Null for a note that is identified by its documents. */
  body: string | null;
  documentPaths: readonly string[];
  /** The second in which it was written; null for any time. */
  createdAt: Date | null;
}

/** A note to be stored, in the name of the actor. */
export interface NewNote {
  accountId: string;
  actor: string;
  body: string | undefined;
  createdAt: Date;
  externalId: string | undefined;
  isPinned: boolean;
  /** As requests write it: YYYY-MM-DDTHH:MM:SSZ. */
  unpinAt: string | undefined;
  isArchived: boolean;
  documentPaths: readonly string[];
}

/** A stored note that is the one that was searched for. */
export interface MatchingNote {
  /** The second in which it was written. */
  createdAt: Date;
  body: string | null;
}

const findMatching: Statement = {
  name: 'find-matching-notes',
  // At most one stored note for each, by the index note_external_id or note_identity.
  text: `
    SELECT ordinal::integer - 1 AS index, stored.created_at, stored.body
    FROM ROWS FROM (unnest($1::bigint[]), unnest($2::text[]), json_array_elements($3::json), unnest($4::timestamptz[]),
      unnest($5::text[])) WITH ORDINALITY
      AS asked (account_id, body, document_paths, created_at, external_id, ordinal)
    CROSS JOIN LATERAL (
      (SELECT note.created_at, note.body FROM note
      WHERE asked.external_id IS NOT NULL AND note.account_id = asked.account_id AND note.external_id = asked.external_id
      ORDER BY note.created_at LIMIT 1)
      UNION ALL
      (SELECT note.created_at, note.body FROM note
      WHERE asked.external_id IS NULL AND note.account_id = asked.account_id
        AND note_identity(note.body, note.document_paths) = note_identity(asked.body,
          ARRAY(SELECT json_array_elements_text(asked.document_paths)))
        AND note.created_at >= coalesce(date_trunc('second', asked.created_at), '-infinity')
        AND note.created_at < coalesce(date_trunc('second', asked.created_at) + interval '1 second', 'infinity')
      ORDER BY note.created_at LIMIT 1)
    ) stored`,
};

const add: Statement = {
  name: 'add-notes',
  text: `
    INSERT INTO note (account_id, actor, body, created_at, external_id, is_pinned, unpin_at, is_archived,
      document_paths)
    SELECT "accountId", actor, body, "createdAt", "externalId", "isPinned", "unpinAt", "isArchived", "documentPaths"
    FROM json_to_recordset($1::json) AS note ("accountId" bigint, actor text, body text, "createdAt" timestamptz, "externalId" text,
      "isPinned" boolean, "unpinAt" timestamptz, "isArchived" boolean, "documentPaths" text[])`,
};

/** Notes of accounts. The caller holds the locks of the accounts from `findMatching` to `add`. */
@Injectable()
export class NoteRepository {
  /**
   * Finds for each note the stored one with the same external id. For a note without one, the earliest that has the same
   * body, or without a body the same documents, and was written in the same second if one is given.
   *
   * @returns for each note the second in which the stored one was written; undefined where there is none
   */
  async findMatching(executor: Executor, asked: readonly AskedNote[]): Promise<(MatchingNote | undefined)[]> {
    const found: (MatchingNote | undefined)[] = asked.map(() => undefined);
    for (let start = 0; start < asked.length; start += NOTES_PER_STATEMENT) {
      const stretch = asked.slice(start, start + NOTES_PER_STATEMENT);
      const rows = await executor.run<{ index: number; createdAt: string; body: string | null }>(
        findMatching,
        [
          stretch.map(({ accountId }) => accountId),
          stretch.map(({ body }) => body),
          JSON.stringify(stretch.map(({ body, documentPaths }) => (body === null ? documentPaths : []))),
          stretch.map(({ createdAt }) => createdAt),
          stretch.map(({ externalId }) => externalId),
        ],
      );
      for (const { index, createdAt, body } of rows)
        found[start + index] = { createdAt: new Date(toUtcSeconds(createdAt)), body };
    }
    return found;
  }

  /** Adds notes to accounts. */
  async add(executor: Executor, notes: readonly NewNote[]): Promise<void> {
    for (let start = 0; start < notes.length; start += NOTES_PER_STATEMENT)
      await executor.run(add, [JSON.stringify(notes.slice(start, start + NOTES_PER_STATEMENT))]);
  }
}
