import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Code,
  Decimal,
  Flag,
  ListOf,
  Moment,
  PartIdentifier,
  Text,
} from '../vocabulary/decorators';
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

  @Code("Identifier of the note in the supplier's system; prevents adding the note twice.")
  external_id?: string;

  @Flag('Whether the note is hidden from the support view.') is_archived?: boolean;
  @Flag('Whether the note is pinned above other notes.') is_pinned?: boolean;
  @Moment('When the note is unpinned; not before it was created.') unpin_at?: string;
}

@About('A historical statement, stored as a document.')
export class Statement {
  @PartIdentifier("Identifier of the statement in the supplier's system, unique in the account.", {
    required: true,
    example: 'ST-2024-05',
  })
  statement_id: string;

  @CalendarDate('First day of the statement period.', { required: true, example: '2024-05-01' })
  bill_period_from_date: string;

  @CalendarDate('Last day of the statement period.', { required: true, example: '2024-05-31' })
  bill_period_to_date: string;

  @CalendarDate('Day on which the statement was issued.', { nullable: true }) issued_date?: string | null;

  @Code('Number of the statement, as shown to the customer.', { example: 'INV-2024-05-100231' })
  number?: string;

  /** Some suppliers have sent major units, so decimals are accepted and stored unchanged. */
  @Decimal('Total including tax: 11261 is 112.61. A number with decimals is stored as it was sent.', {
    nullable: true,
    whole: 15,
    places: 10,
    amount: AMOUNTS.minorTotal,
    example: 11261,
  })
  gross_amount?: string | null;

  @Text("Path of the PDF, relative to the supplier's document root.", { example: 'A-100231/2024-05.pdf' })
  statement_path?: string;
}
