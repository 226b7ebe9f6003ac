import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Code, ListOf, ListOfTexts, Money } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { anyTransaction, type Transaction } from './transactions';

@About('A reference to a ledger.')
export class LedgerRef {
  @Code("Type of the ledger, from the operator's list.", {
    required: true,
    example: 'MAIN',
    list: 'ledger_types',
  })
  ledger_code: string;

  @Code('Identifier of the ledger in this payload.', { example: 'ledger-energy' }) ledger_identifier?: string;
}

@About('A ledger of the account, with its own balance.')
export class Ledger {
  @Code("Type of the ledger, from the operator's list.", { example: 'MAIN', list: 'ledger_types' })
  ledger_code?: string;

  @Code('Identifier by which other parts of the payload refer to the ledger.', { example: 'ledger-energy' })
  ledger_identifier?: string;

  @ListOfTexts('Supply points that are billed to the ledger.', {
    item: { identifies: true },
    example: ['1000000000110'],
  })
  identifiers?: string[];

  @Money('Balance carried over. The balances of all ledgers sum to `transfer_balance`.', {
    amount: AMOUNTS.balance,
    example: '75.50',
  })
  ledger_balance?: string;

  @Money('Closing balance of the last issued statement; defaults to zero.', {
    amount: AMOUNTS.balance,
    example: '17.39',
  })
  last_statement_balance?: string;

  @CalendarDate('Last day of that statement; separates historical from current transactions.')
  last_statement_closing_date?: string;

  @CalendarDate('Day on which that statement was issued; defaults to its closing date.')
  last_statement_issue_date?: string;

  @ListOf('Billed transactions; they sum to the last balance.', anyTransaction)
  historical_statement_transactions?: Transaction[];

  @ListOf('Unbilled transactions; with the last balance they sum to the ledger balance.', anyTransaction, {
    inExample: true,
  })
  current_statement_transactions?: Transaction[];
}
