import { Inject, Injectable } from '@nestjs/common';
import { type Note, NotesRequest } from '@portage/account-schema';
import { type Clock, CLOCK, type Executor, parseUtcDatetime } from '@portage/platform';
import { type MatchingNote, type NewNote, NoteRepository } from './note.repository';
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
        const { actor } = request;
        const [written] = await this.write(executor, [{ accountId, actor, notes: body.notes }]);
        return written as WrittenNotes;
      },
    );
  }

  /**
   * Adds the notes of requests for different accounts. The caller holds the locks of the accounts.
   *
   * @returns for each request, in their order, a result for each note, and the documents of the added ones
   */
  async write(executor: Executor, requests: readonly NotesToWrite[]): Promise<WrittenNotes[]> {
    const read = requests.map(({ accountId, actor, notes }) =>
      notes.map((note) => ({
        accountId,
        actor,
        note,
        body: note.body,
        externalId: note.external_id ?? null,
        createdAt: parseUtcDatetime(note.created_at),
        documentPaths: (note.document_paths ?? []).map(({ document_path }) => storedPath(document_path)),
      })),
    );
    const matching = await this.notes.findMatching(
      executor,
      read
        .flat()
        .map(({ body = null, createdAt = null, ...identified }) => ({ ...identified, body, createdAt })),
    );
    // The answer has whole seconds. A client that repeats the note with that time must match this one.
    const now = new Date(Math.floor(this.clock.now().getTime() / 1_000) * 1_000);
    let first = 0;
    const resolved = read.map((notes) => {
      const stored = notes.map((_note, index) => matching[first + index]);
      first += notes.length;
      const existing = notes.flatMap((note, index) => {
        const found = stored[index];
        return found ? [{ ...note, body: found.body ?? undefined, createdAt: found.createdAt }] : [];
      });
      const results = noteResults(notes, existing, now);
      return notes.map((note, index) => ({
        ...note,
        ...(results[index] as NoteResult),
        isDifferent: note.externalId !== null && isDifferent(note.body, stored[index]),
      }));
    });
    const isAdded = ({ status }: { status: string }) => status === 'NOTE_CREATION_SUCCESS';
    await this.notes.add(executor, resolved.flat().filter(isAdded).map(buildNewNote));
    return resolved.map((notes) => ({
      answer: notes.map(({ body, createdAt, status, isDifferent }) => ({
        created_at: createdAt.toISOString().replace('.000Z', 'Z'),
        body: body ?? null,
        status,
        ...(isDifferent && { differences: ['body'] }),
      })),
      documents: notes
        .filter(isAdded)
        .flatMap(({ documentPaths }) => documentPaths.map((path) => ({ path, kind: 'note' as const }))),
    }));
  }
}

/** The notes that a request adds to an account. */
export interface NotesToWrite {
  accountId: string;
  actor: string;
  notes: readonly Note[];
}

type WrittenNotes = WrittenDocuments<NoteResultView[]>;

function isDifferent(body: string | undefined, stored: MatchingNote | undefined): boolean {
  return stored !== undefined && (body ?? null) !== stored.body;
}

function buildNewNote({
  note,
  accountId,
  actor,
  body,
  createdAt,
  documentPaths,
}: Pick<NewNote, 'accountId' | 'actor' | 'body' | 'createdAt' | 'documentPaths'> & { note: Note }): NewNote {
  return {
    accountId,
    actor,
    body,
    createdAt,
    documentPaths,
    externalId: note.external_id,
    isPinned: note.is_pinned ?? false,
    unpinAt: note.unpin_at,
    isArchived: note.is_archived ?? false,
  };
}
