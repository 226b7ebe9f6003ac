import { Inject, Injectable } from '@nestjs/common';
import { type Note, NotesRequest } from '@portage/account-schema';
import { type Clock, CLOCK, type Executor, parseUtcDatetime } from '@portage/platform';
import { type NewNote, NoteRepository } from './note.repository';
import { type NoteResult, noteResults } from './note-identity';
import { buildValidationError } from '../requests/imported-accounts';
import { storedPath } from '../documents/document-paths';
import {
  type HandledRequest,
  type RequestWithDocuments,
  RequestWithDocumentsHandler,
  type WrittenDocuments,
} from '../requests/request-with-documents-handler';
import type { NoteResultView } from './notes.dto';

/** Adds notes to an imported account (contract, "Add notes"). */
@Injectable()
export class AddNotes {
  constructor(
    private readonly requests: RequestWithDocumentsHandler,
    private readonly notes: NoteRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Adds all notes of the request or none. Repeated and concurrent equal requests add each note once.
   *
   * @returns one result for each note, in the order of the request
   * @throws as {@link RequestWithDocumentsHandler.perform}
   */
  async add(request: RequestWithDocuments): Promise<HandledRequest<NoteResultView[]>> {
    return this.requests.perform(
      'notes',
      NotesRequest,
      request,
      async (executor, accountId, body, errors) => {
        if (errors.length > 0) throw buildValidationError(errors);
        return this.write(executor, accountId, body.notes, request.actor);
      },
    );
  }

  private async write(
    executor: Executor,
    accountId: string,
    submitted: readonly Note[],
    actor: string,
  ): Promise<WrittenDocuments<NoteResultView[]>> {
    const notes = submitted.map((note) => ({
      note,
      body: note.body,
      createdAt: parseUtcDatetime(note.created_at),
      documentPaths: (note.document_paths ?? []).map(({ document_path }) => storedPath(document_path)),
    }));
    const matching = await this.notes.findMatching(
      executor,
      accountId,
      notes.map(({ body = null, createdAt = null, documentPaths }) => ({ body, createdAt, documentPaths })),
    );
    const existing = notes.flatMap((note, index) => {
      const createdAt = matching[index];
      return createdAt ? [{ ...note, createdAt }] : [];
    });
    // The answer has whole seconds. A client that repeats the note with that time must match this one.
    const now = new Date(Math.floor(this.clock.now().getTime() / 1_000) * 1_000);
    const results = noteResults(notes, existing, now);
    const resolved = notes.map((note, index) => ({ ...note, ...(results[index] as NoteResult) }));

    const added = resolved.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS');
    await this.notes.add(executor, accountId, added.map(buildNewNote), actor);
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

function buildNewNote({
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
