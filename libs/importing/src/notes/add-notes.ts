import { Inject, Injectable } from '@nestjs/common';
import { type Note, NotesRequest } from '@portage/account-schema';
import { type Executor, type NewNote, NoteRepository } from '@portage/database';
import { type Clock, type NoteResult, noteResults, readUtcDatetime } from '@portage/domain';
import { invalid } from '../post-import/imported-accounts';
import { CLOCK } from '../clock-token';
import { storedPath } from '../documents/document-paths';
import {
  type DocumentedAnswer,
  type DocumentedRequest,
  DocumentedRequestHandler,
  type WrittenDocuments,
} from '../documented-requests/documented-request-handler';

/** What is answered for a posted note (contract 2.4). */
export interface NoteResultView {
  /** YYYY-MM-DDTHH:MM:SSZ, as it is stored. */
  created_at: string;
  /** Null for a note that consists of documents. */
  body: string | null;
  status: NoteResult['status'];
}

/** Adds notes to an imported account (contract 4.2). */
@Injectable()
export class AddNotes {
  constructor(
    private readonly requests: DocumentedRequestHandler,
    private readonly notes: NoteRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * All notes of a request or none, and each once, however often and by how many at once it is sent.
   *
   * @returns one result a note, in the order of the request
   * @throws as {@link DocumentedRequestHandler.perform}
   */
  async add(request: DocumentedRequest): Promise<DocumentedAnswer<NoteResultView[]>> {
    return this.requests.perform(
      'notes',
      NotesRequest,
      request,
      async (executor, accountId, body, errors) => {
        if (errors.length > 0) throw invalid(errors);
        return this.write(executor, accountId, body.notes);
      },
    );
  }

  private async write(
    executor: Executor,
    accountId: string,
    posted: readonly Note[],
  ): Promise<WrittenDocuments<NoteResultView[]>> {
    const notes = posted.map((note) => ({
      note,
      body: note.body,
      createdAt: readUtcDatetime(note.created_at),
      documentPaths: (note.document_paths ?? []).map(({ document_path }) => storedPath(document_path)),
    }));
    const bodies = new Set(notes.flatMap(({ body }) => body ?? []));
    const existing = await this.notes.like(executor, accountId, [...bodies]);
    // Whole seconds, as the answer says: a client that sends the note again with it means this one.
    const now = new Date(Math.floor(this.clock.now().getTime() / 1_000) * 1_000);
    const results = noteResults(notes, existing, now);
    const resolved = notes.map((one, place) => ({ ...one, ...(results[place] as NoteResult) }));

    const added = resolved.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS');
    await this.notes.add(executor, accountId, added.map(newNote));
    return {
      answer: resolved.map(({ body, createdAt, status }) => ({
        created_at: createdAt.toISOString().replace('.000Z', 'Z'),
        body: body ?? null,
        status,
      })),
      documents: added.flatMap(({ documentPaths }) =>
        documentPaths.map((path) => ({ path, kind: 'note' as const })),
      ),
    };
  }
}

function newNote({
  note,
  ...identified
}: Pick<NewNote, 'body' | 'createdAt' | 'documentPaths'> & { note: Note }): NewNote {
  return {
    ...identified,
    externalId: note.external_id,
    isPinned: note.is_pinned ?? false,
    unpinAt: note.unpin_at,
    isArchived: note.is_archived ?? false,
  };
}
