import { Flag, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A file that belongs to a note.')
export class NoteDocument {
  @Text("Where the file lies, below the supplier's document root.", {
    required: true,
    example: 'A-100231/letters/2024-04-11.pdf',
  })
  document_path: string;
}

@About('Something that support staff should know, in words, as files or both.')
export class Note {
  @Text('The words.', { example: 'Prefers calls after 18:00.' })
  body?: string;

  @ListOf('The files.', NoteDocument)
  document_paths?: NoteDocument[];

  @Moment('When it was written; the time of import unless given.')
  created_at?: string;

  @Text("The note's identifier in the supplier's system, so that it is not added twice.")
  external_id?: string;

  @Flag('Whether to leave it out of the support view.')
  is_archived?: boolean;

  @Flag('Whether to keep it above the others.')
  is_pinned?: boolean;

  @Moment('When it stops being kept above the others; not before it was written.')
  unpin_at?: string;
}
