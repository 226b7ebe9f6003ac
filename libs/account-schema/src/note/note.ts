import { Flag, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A document attached to a note.')
export class NoteDocument {
  @Text("Path of the document, relative to the supplier's document root.", {
    required: true,
    example: 'A-100231/letters/2024-04-11.pdf',
  })
  document_path: string;
}

@About('A note for support staff, with a text, documents or both.')
export class Note {
  @Text('Text of the note.', { example: 'Prefers calls after 18:00.' }) body?: string;
  @ListOf('Documents attached to the note.', NoteDocument) document_paths?: NoteDocument[];
  @Moment('When the note was created; defaults to the time of import.') created_at?: string;

  @Text("Identifier of the note in the supplier's system; prevents adding the note twice.", {
    identifies: true,
  })
  external_id?: string;

  @Flag('Whether the note is hidden from the support view.') is_archived?: boolean;
  @Flag('Whether the note is pinned above other notes.') is_pinned?: boolean;
  @Moment('When the note is unpinned; not before it was created.') unpin_at?: string;
}
