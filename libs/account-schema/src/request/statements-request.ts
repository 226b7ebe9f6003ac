import { Statement } from '../statement/statement';
import { Identifier, ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Historical statements to add to an imported account.')
export class StatementsRequest {
  @Identifier('Code of the import supplier of the account.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("Number of the account in the supplier's system.", { required: true, example: 'A-100231' })
  external_account_number: string;

  @ListOf('Statements to add.', Statement, { required: true }) statements: Statement[];
}
