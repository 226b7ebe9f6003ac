import { CalendarDate, ListOf, ListOfTexts, Money, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { anyTransaction, type Transaction } from './transaction-union';

@About('Which ledger something is about.')
export class LedgerRef {
  @Text('Type of the ledger, as the operator lists it.', { required: true, example: 'MAIN' })
  ledger_code: string;

  @Text('Name that the ledger has in this payload.', { example: 'ledger-energy' })
  ledger_identifier?: string;
}

@About('One of the running balances of the account.')
export class Ledger {
  @Text('Type of the ledger, as the operator lists it.', { example: 'MAIN' })
  ledger_code?: string;

  @Text('Name that other parts of the payload point at it by.', { example: 'ledger-energy' })
  ledger_identifier?: string;

  @ListOfTexts('Supply points that are billed to it.', { example: ['1000000000110'] })
  identifiers?: string[];

  @Money(
    'Balance carried over: above zero in favour of the customer. Those of all ledgers make up `transfer_balance`.',
    {
      example: '75.50',
    },
  )
  ledger_balance?: string;

  @Money('Balance at the end of the last statement issued; zero unless given.', { example: '17.39' })
  last_statement_balance?: string;

  @CalendarDate('Last day of that statement: what is older is history, what is younger is current.')
  last_statement_closing_date?: string;

  @CalendarDate('Day that statement was issued; the day it closed unless given.')
  last_statement_issue_date?: string;

  @ListOf('What has been billed; it adds up to the last balance.', anyTransaction)
  historical_statement_transactions?: Transaction[];

  @ListOf(
    'What is still to be billed; with the last balance it makes up the ledger balance.',
    anyTransaction,
    { inExample: true },
  )
  current_statement_transactions?: Transaction[];
}
