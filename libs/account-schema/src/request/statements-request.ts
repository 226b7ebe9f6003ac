import { Statement } from '../statement/statement';
import { Identifier, ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Statements of the past for an account that was imported.')
export class StatementsRequest {
  @Identifier('Supplier that the account came from.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system.", { required: true, example: 'A-100231' })
  external_account_number: string;

  @ListOf('The statements.', Statement, { required: true })
  statements: Statement[];
}
