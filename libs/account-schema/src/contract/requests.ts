import {
  CalendarDate,
  Choice,
  Code,
  Flag,
  Identifier,
  ListOf,
  Moment,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import type { ObjectType } from '../vocabulary/shape';
import { Account } from './account';
import { Note, Statement } from './documents';
import { INSTRUCTION_TYPES } from './payments';
import { anyTransaction, type Transaction } from './transactions';

/*
 * The fields that several requests have. They are decorators and no base class, because class-validator lists inherited
 * fields last, and the OpenAPI document has the fields in its order.
 */
const ImportSupplierCode = Identifier('Code of the import supplier of the account.', {
  required: true,
  example: 'LEGACY_A',
});
const NUMBER = "Number of the account in the supplier's system.";
const AccountNumber = Identifier(NUMBER, { required: true, example: 'A-100231' });
const OptionalAccountNumber = Identifier(NUMBER, { example: 'A-100231' });
const FormerAccountNumber = Identifier('Former name of `external_account_number`.', {
  deprecated: 'external_account_number',
});

@About('Options for the import process of the account.')
export class TaskParams {
  @Flag('Whether to do a dry run, which is rolled back.', { default: false }) is_dry_run?: boolean;

  @Moment('Earliest start of the import; must not be in the past.', { nullable: true })
  schedule_window_start?: string | null;

  @Moment('Latest start of the import, at most four days from now.', { nullable: true })
  schedule_window_end?: string | null;
}

@About('An account to validate. Nothing is stored.')
export class ValidateAccountRequest {
  @Nested('The account.', Account, { required: true }) payload: Account;
}

@About('An account to import, with options.')
export class ScheduleAccountRequest {
  @Nested('The account.', Account, { required: true }) payload: Account;
  @Nested('Options for the import process.', TaskParams, { required: true }) task_params: TaskParams;
}

@About('A staged account to create now.')
export class ProcessAccountRequest {
  @ImportSupplierCode import_supplier_code: string;
  @AccountNumber external_account_number: string;

  @Text('Team that looks after the account. It replaces the team in the account.')
  operations_team_name?: string;

  @Flag('Whether to do a dry run, which creates the account and rolls it back.', { default: false })
  dry_run?: boolean;
}

@About('Notes to add to an imported account.')
export class NotesRequest {
  @ImportSupplierCode import_supplier: string;
  @OptionalAccountNumber external_account_number?: string;
  @FormerAccountNumber account_number?: string;

  @ListOf('Notes to add; notes that exist already are left unchanged.', Note, { required: true })
  notes: Note[];
}

@About('Transactions to add to an imported account.')
export class TransactionsRequest {
  @ImportSupplierCode import_supplier: string;
  @OptionalAccountNumber external_account_number?: string;
  @FormerAccountNumber account_number?: string;

  @Flag('Whether to do a dry run, which checks everything and adds nothing.', { default: false })
  dry_run?: boolean;

  @ListOf('Transactions to add.', anyTransaction, { inExample: true }) transactions?: Transaction[];
}

@About('Historical statements to add to an imported account.')
export class StatementsRequest {
  @ImportSupplierCode import_supplier: string;
  @AccountNumber external_account_number: string;

  @ListOf('Statements to add.', Statement, { required: true }) statements: Statement[];
}

@About('A mandate to add to an imported account. The vendor must confirm that it exists.')
export class PaymentInstructionRequest {
  @ImportSupplierCode import_supplier: string;
  @AccountNumber external_account_number: string;

  @Choice('Type of mandate.', INSTRUCTION_TYPES, { required: true, example: 'CARD' })
  type: (typeof INSTRUCTION_TYPES)[number];

  @Text("Vendor that holds the mandate, from the operator's list.", {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor: string;

  @Code("The vendor's reference of the mandate.", { maxLength: 512, example: 'CRD-0007-4410' })
  reference?: string;

  @Code('Former name of `reference`.', { maxLength: 128, deprecated: 'reference' })
  instruction_reference?: string;

  @Code('Type of the ledger that the mandate pays into; defaults to the main ledger.', {
    list: 'ledger_types',
  })
  ledger_code?: string;

  @Flag("Whether the ledger's payment schedule collects through the mandate.", { nullable: true })
  use_for_scheduled_payments?: boolean | null;

  @CalendarDate('First day on which the mandate may be used.', { nullable: true }) valid_from?: string | null;
}

/** The classes of request bodies. All other classes of the contract are nested in one of them. */
export const BODIES: readonly ObjectType[] = [
  Account,
  TaskParams,
  ValidateAccountRequest,
  ScheduleAccountRequest,
  NotesRequest,
  TransactionsRequest,
  StatementsRequest,
  PaymentInstructionRequest,
  ProcessAccountRequest,
];
