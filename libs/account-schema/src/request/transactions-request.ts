import { anyTransaction, type Transaction } from '../ledger/transaction-union';
import { Flag, Identifier, ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Transactions to add to an imported account.')
export class TransactionsRequest {
  @Identifier('Code of the import supplier of the account.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("Number of the account in the supplier's system.", { example: 'A-100231' })
  external_account_number?: string;

  @Identifier('Former name of `external_account_number`.', { deprecated: 'external_account_number' })
  account_number?: string;

  @Flag('Whether to do a dry run, which checks everything and adds nothing.', { default: false })
  dry_run?: boolean;

  @ListOf('Transactions to add.', anyTransaction, { inExample: true }) transactions?: Transaction[];
}
