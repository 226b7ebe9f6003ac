import { Note } from '../note/note';
import { Identifier, ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Notes to add to an imported account.')
export class NotesRequest {
  @Identifier('Code of the import supplier of the account.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("Number of the account in the supplier's system.", { example: 'A-100231' })
  external_account_number?: string;

  @Identifier('Former name of `external_account_number`.', { deprecated: 'external_account_number' })
  account_number?: string;

  @ListOf('Notes to add; notes that exist already are left unchanged.', Note, { required: true })
  notes: Note[];
}
