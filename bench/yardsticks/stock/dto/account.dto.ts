import { IsNumber, IsOptional } from 'class-validator';
import { CustomerDto, MetadataDto } from './customer.dto';
import { Day, Email, ListOf, Moment, Money, OneOf, Part, Required, Text, Whole, YesOrNo } from './fields';
import { LedgerDto, TransactionDto } from './ledger.dto';
import { SupplyAddressDto } from './supply-address.dto';

export class AddressDto {
  @Text(2) country?: string;
  @Text() street_address?: string;
  @Text() locality?: string;
  @Text(16) postal_code?: string;
}

export class ReferenceDto {
  @Required(64) namespace: string;
  @Required(128) value: string;
}

export class NoteDto {
  @Text(10_000) body?: string;
  @Moment() created_at?: string;
  @Text(128) external_id?: string;
  @YesOrNo() is_pinned?: boolean;
  @Moment() unpin_at?: string;
}

export class StatementDto {
  @Required(128) statement_id: string;
  @Text(128) number?: string;
  @Day() bill_period_from_date: string;
  @Day() bill_period_to_date: string;
  @Day() issued_date?: string;
  @IsOptional() @IsNumber() gross_amount?: number;
}

export class PaymentInstructionDto {
  @Text(128) instruction_identifier?: string;
  @OneOf('DIRECT_DEBIT', 'CARD') type: string;
  @Required(64) vendor: string;
  @Required(128) reference: string;
  @Text(64) ledger_code?: string;
  @Day() valid_from?: string;
}

export class InstructionReferenceDto {
  @Text(128) instruction_identifier?: string;
}

export class PaymentPreferenceDto {
  @Text(32) type?: string;
  @Text(128) ledger_identifier?: string;
  @Part(() => InstructionReferenceDto) instruction_reference_params?: InstructionReferenceDto;
}

export class PaymentScheduleDto {
  @Text(64) ledger_code?: string;
  @Text(16) means?: string;
  @Text(16) trigger?: string;
  @Text(16) frequency?: string;
  @Whole() day_of_month?: number;
  @Money() amount?: string;
  @Day() start_date?: string;
}

export class AgedDebtDto {
  @Money() debt_amount?: string;
  @Day() due_date?: string;
}

export class DebtDto {
  @YesOrNo() is_insolvent?: boolean;
  @ListOf(() => AgedDebtDto) aged_debt?: AgedDebtDto[];
}

export class CampaignDto {
  @Required(64) slug: string;
  @Text() campaign_note?: string;
  @Day() start_date?: string;
}

/** The fields of the accounts in the benchmark, with the usual checks of a first version. */
export class AccountDto {
  @Required(128) import_supplier: string;
  @Required(128) external_account_number: string;
  @Text(128) external_identifier?: string;
  @OneOf('DOMESTIC', 'BUSINESS', 'DOMESTIC_OCCUPIER') account_type?: string;
  @Day() date_of_sale?: string;
  @Text(32) sales_channel?: string;
  @OneOf('ONLINE', 'PRINT') communication_preference?: string;
  @Text(8) language_preference?: string;
  @OneOf('BRAILLE', 'SPOKEN', 'LARGE_PRINT') document_accessibility?: string;
  @Text() billing_name?: string;
  @Text() billing_address1?: string;
  @Text() billing_address2?: string;
  @Text() billing_address3?: string;
  @Text(16) billing_postcode?: string;
  @Part(() => AddressDto) billing_address?: AddressDto;
  @Email() billing_email?: string;
  @ListOf(() => CustomerDto) customers?: CustomerDto[];
  @ListOf(() => ReferenceDto) references?: ReferenceDto[];
  @ListOf(() => SupplyAddressDto) supply_addresses?: SupplyAddressDto[];
  @ListOf(() => LedgerDto) ledgers?: LedgerDto[];
  @ListOf(() => TransactionDto) historical_statement_transactions?: TransactionDto[];
  @ListOf(() => TransactionDto) current_statement_transactions?: TransactionDto[];
  @Money() last_statement_balance?: string;
  @Day() last_statement_closing_date?: string;
  @Day() last_statement_issue_date?: string;
  @Money() transfer_balance?: string;
  @Day() last_billed_to_date?: string;
  @Day() last_payment_review_date?: string;
  @ListOf(() => NoteDto) notes?: NoteDto[];
  @ListOf(() => StatementDto) statements?: StatementDto[];
  @ListOf(() => PaymentInstructionDto) payment_instructions?: PaymentInstructionDto[];
  @ListOf(() => PaymentPreferenceDto) payment_preferences?: PaymentPreferenceDto[];
  @ListOf(() => PaymentScheduleDto) payment_schedules?: PaymentScheduleDto[];
  @ListOf(() => DebtDto) debts?: DebtDto[];
  @ListOf(() => CampaignDto) account_campaigns?: CampaignDto[];
  @ListOf(() => MetadataDto) metadata?: MetadataDto[];
}
