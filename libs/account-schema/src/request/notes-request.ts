import { Note } from '../note/note';
import { Identifier, ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Notes for an account that was imported.')
export class NotesRequest {
  @Identifier('Supplier that the account came from.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system.", { example: 'A-100231' })
  external_account_number?: string;

  @Identifier('The same, as it was called before.', { deprecated: 'external_account_number' })
  account_number?: string;

  @ListOf('The notes; one that is there already is left alone.', Note, { required: true })
  notes: Note[];
}
