import { Day, Decimal, ListOf, Money, OneOf, Required, Text, Texts } from './fields';

export class LineItemDto {
  @Text(64) rate_band?: string;
  @Day() start_date: string;
  @Day() end_date: string;
  @Decimal() number_of_units?: string;
  @Decimal() price_per_unit?: string;
  @Money() net_amount?: string;
  @Texts() units?: string[];
}

export class TaxItemDto {
  @Text(16) tax_type?: string;
  @Text(16) unit_type?: string;
  @Decimal() rate?: string;
  @Money() value_taxed?: string;
  @Money() amount?: string;
}

export class TransactionDto {
  @Required(128) transaction_id: string;
  @Day() transaction_date: string;
  @OneOf('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE') type: string;
  @Money() amount: string;
  @Text(64) payment_type?: string;
  @Text(64) reason?: string;
  @Text(128) reference?: string;
  @Text(64) product_code?: string;
  @Text(32) supply_point_identifier?: string;
  @Text(1_000) display_note?: string;
  @Text(1_000) note?: string;
  @ListOf(() => LineItemDto) line_items?: LineItemDto[];
  @ListOf(() => TaxItemDto) tax_items?: TaxItemDto[];
}

export class LedgerDto {
  @Text(64) ledger_code?: string;
  @Text(128) ledger_identifier?: string;
  @Texts() identifiers?: string[];
  @Money() last_statement_balance?: string;
  @Day() last_statement_closing_date?: string;
  @Day() last_statement_issue_date?: string;
  @Money() ledger_balance?: string;
  @ListOf(() => TransactionDto) historical_statement_transactions?: TransactionDto[];
  @ListOf(() => TransactionDto) current_statement_transactions?: TransactionDto[];
}
