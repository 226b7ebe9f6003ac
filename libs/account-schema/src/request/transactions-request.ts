import { anyTransaction, type Transaction } from '../ledger/transaction-union';
import { Flag, Identifier, ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Transactions for an account that was imported.')
export class TransactionsRequest {
  @Identifier('Supplier that the account came from.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system.", { example: 'A-100231' })
  external_account_number?: string;

  @Identifier('The same, as it was called before.', { deprecated: 'external_account_number' })
  account_number?: string;

  @Flag('Whether to check everything and add nothing.', { default: false })
  dry_run?: boolean;

  @ListOf('The transactions.', anyTransaction, { inExample: true })
  transactions?: Transaction[];
}
