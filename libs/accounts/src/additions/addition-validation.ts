import { Injectable } from '@nestjs/common';
import {
  NotesRequest,
  PaymentInstructionRequest,
  StatementsRequest,
  TransactionsRequest,
} from '@portage/account-schema';
import { validateBodyInSteps } from '@portage/account-schema/service';
import { type FieldError, runInSlices } from '@portage/platform';
import { type ImportSupplierEntity, SchemaContexts } from '@portage/tenants';
import { DocumentPaths } from '../documents/document-paths';
import { CreatePaymentInstruction } from '../payment-instructions/create-payment-instruction';
import type { AccountTarget } from '../requests/imported-accounts';
import type { TransactionsOptions } from '../transactions/transactions-request';
import type { AdditionInput, AdditionKind } from './addition';

/** The body of an addition, as its endpoint takes it, with the query parameters of transactions. */
export interface SubmittedAddition {
  kind: AdditionKind;
  body: Record<string, unknown>;
  options: TransactionsOptions;
}

/** A body that was read: what it adds to which account, or why it cannot be added. */
export type ValidatedAddition =
  | { ok: true; externalAccountNumber: string; addition: AdditionInput; ignoredFields: readonly string[] }
  | { ok: false; errors: readonly FieldError[] };

const BODIES = {
  notes: NotesRequest,
  transactions: TransactionsRequest,
  historical_statements: StatementsRequest,
  payment_instruction: PaymentInstructionRequest,
} as const satisfies Record<AdditionKind, new () => AccountTarget>;

/** Validates the bodies of additions, as the endpoints do that take one each. */
@Injectable()
export class AdditionValidation {
  constructor(
    private readonly contexts: SchemaContexts,
    private readonly documentPaths: DocumentPaths,
    private readonly instructions: CreatePaymentInstruction,
  ) {}

  /**
   * Validates a body. It does not look for the account, which may be imported before the addition is performed.
   *
   * @throws DocumentStoreUnavailable if the supplier's documents are verified and the store cannot be reached
   */
  async read(
    supplier: ImportSupplierEntity,
    { kind, body, options }: SubmittedAddition,
  ): Promise<ValidatedAddition> {
    const context = await this.contexts.build(supplier);
    const read = await runInSlices(validateBodyInSteps<AccountTarget>(BODIES[kind], body, context));
    if (!read.ok) return { ok: false, errors: read.errors };
    const { value, ignoredFields } = read;
    const addition = await this.build(supplier, kind, value, options);
    if ('errors' in addition) return { ok: false, errors: addition.errors };
    const externalAccountNumber = value.external_account_number ?? value.account_number ?? '';
    return { ok: true, externalAccountNumber, addition, ignoredFields };
  }

  private async build(
    supplier: ImportSupplierEntity,
    kind: AdditionKind,
    value: AccountTarget,
    options: TransactionsOptions,
  ): Promise<AdditionInput | { errors: readonly FieldError[] }> {
    switch (kind) {
      case 'transactions': {
        const { transactions = [], dry_run: isDryRun } = value as TransactionsRequest;
        if (isDryRun)
          return misplaced(
            'dry_run',
            'A line has no dry run of its own. Rehearse the submission with is_dry_run.',
          );
        return { kind, input: { transactions, ...options, isDryRun: false } };
      }
      case 'payment_instruction':
        return { kind, input: await this.instructions.inputOf(value as PaymentInstructionRequest, supplier) };
      case 'notes': {
        const body = value as NotesRequest;
        const errors = await this.documentPaths.errorsIn(supplier, body);
        return errors.length > 0 ? { errors } : { kind, input: body.notes };
      }
      case 'historical_statements': {
        const body = value as StatementsRequest;
        const errors = await this.documentPaths.errorsIn(supplier, body);
        return errors.length > 0 ? { errors } : { kind, input: body.statements };
      }
    }
  }
}

function misplaced(attr: string, detail: string): { errors: readonly FieldError[] } {
  return { errors: [{ attr, code: 'misplaced_parameter', detail }] };
}
