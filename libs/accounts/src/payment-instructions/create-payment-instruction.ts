import { Injectable } from '@nestjs/common';
import { PaymentInstructionRequest } from '@portage/account-schema';
import { INSTANCE_DEFAULTS } from '@portage/account-schema/service';
import { type FieldError, PortageError, VENDOR_FAILURES, VENDOR_REFUSALS } from '@portage/platform';
import {
  buildSupplierError,
  type Caller,
  type ImportSupplierEntity,
  RuleSettingsDirectory,
} from '@portage/tenants';
import type { AccountName } from '../account/imported-account.repository';
import type { NewAccountRequest } from '../requests/account-request.repository';
import { AccountRequestDispatcher } from '../requests/account-request-dispatcher';
import { fingerprint } from '../requests/fingerprint';
import { buildValidationError, ImportedAccounts } from '../requests/imported-accounts';
import type { InstructionInput, InstructionOutcome, InstructionTerms } from './instruction-request';

/** The answer to a request for a payment instruction. */
export interface CreatedPaymentInstruction {
  accountNumber: string;
  reference: string;
  ignoredFields: string[];
  /** True if a request with the same Idempotency-Key was answered before, and this is its answer. */
  isReplayed: boolean;
}

/** Finds whether an account was sent under a number, imported or not. */
type WasSent = (name: AccountName) => Promise<boolean>;

/** Members that identify the instruction in an error, beside `detail` and `code`. */
interface InstructionLabel {
  domain: 'payment_instruction';
  import_supplier: string;
  external_account_number: string;
  reference: string;
}

/**
 * The API's half of a payment instruction: validates it and has a worker verify and store it (contract,
 * "Create a payment instruction").
 */
@Injectable()
export class CreatePaymentInstruction {
  constructor(
    private readonly accounts: ImportedAccounts,
    private readonly ruleSettings: RuleSettingsDirectory,
    private readonly requests: AccountRequestDispatcher,
  ) {}

  /**
   * Activates an instruction if its vendor confirms it. A repeated request gets the same answer.
   *
   * @throws PortageError with the vendor's code: one of VENDOR_REFUSALS if a retry cannot succeed, one of
   * VENDOR_FAILURES if it may; `validation_error` also if the account does not exist (contract,
   * "Create a payment instruction", has no 404); the errors of {@link ImportedAccounts.read} and
   * {@link AccountRequestDispatcher.perform}. Each has `error_detail`
   */
  async create(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    submitted: Record<string, unknown>,
    idempotencyKey: string | undefined,
    wasSent: WasSent,
  ): Promise<CreatedPaymentInstruction> {
    try {
      return await this.perform(caller, submitted, idempotencyKey, wasSent);
    } catch (error) {
      throw error instanceof PortageError ? withErrorDetail(error) : error;
    }
  }

  private async perform(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    submitted: Record<string, unknown>,
    idempotencyKey: string | undefined,
    wasSent: WasSent,
  ): Promise<CreatedPaymentInstruction> {
    const { body, supplier, account, externalAccountNumber, ignoredFields } = await this.accounts.read(
      PaymentInstructionRequest,
      organisationId,
      submitted,
    );
    const reference = referenceOf(body);
    const label: InstructionLabel = {
      domain: 'payment_instruction',
      import_supplier: body.import_supplier,
      external_account_number: externalAccountNumber,
      reference,
    };
    if (!supplier || !account) throw await buildTargetError(supplier, label, wasSent);
    const input = await this.inputOf(body, supplier);
    const request: NewAccountRequest = {
      organisationId,
      accountId: account.id,
      kind: 'payment-instruction',
      fingerprint: fingerprint('payment-instruction', account.id, input),
      idempotencyKey,
      actor,
      input: JSON.stringify(input),
    };
    const { outcome, isReplayed } = await this.requests
      .perform(request, { organisationId, supplier: supplier.code, externalAccountNumber })
      .catch(async (error: unknown) => {
        // The account was erased since it was found.
        const isErased = error instanceof PortageError && error.code === 'account_not_found';
        throw isErased ? await buildTargetError(supplier, label, wasSent) : error;
      });
    const error = errorOf(outcome as InstructionOutcome, label);
    if (error) throw error;
    return { accountNumber: account.number, reference, ignoredFields, isReplayed };
  }

  /** The worker's input for a valid body. */
  async inputOf(body: PaymentInstructionRequest, supplier: ImportSupplierEntity): Promise<InstructionInput> {
    const reference = referenceOf(body);
    const { vendor, type, ledger_code: ledgerCode = '' } = body;
    const { instance } = await this.ruleSettings.forSupplier(supplier.ruleSettings);
    const mainLedgerCodes = ['', instance?.main_ledger_code ?? INSTANCE_DEFAULTS.main_ledger_code];
    const ledgerCodes = mainLedgerCodes.includes(ledgerCode) ? mainLedgerCodes : [ledgerCode];
    return { vendor, reference, type, ledgerCode, ledgerCodes, terms: termsOf(body) };
  }
}

/** The error for an unknown supplier or account: `account_not_found` or `import_process_does_not_exist`. */
async function buildTargetError(
  supplier: ImportSupplierEntity | undefined,
  label: InstructionLabel,
  wasSent: WasSent,
): Promise<PortageError> {
  const error = supplier
    ? await buildAccountError(supplier, label, wasSent)
    : buildSupplierError(label.import_supplier);
  const { code, detail, members } = buildValidationError([error]);
  return new PortageError(code, detail, { ...members, ...label });
}

async function buildAccountError(
  { id: supplierId }: ImportSupplierEntity,
  { external_account_number: externalAccountNumber }: InstructionLabel,
  wasSent: WasSent,
): Promise<FieldError> {
  const attr = 'external_account_number';
  return (await wasSent({ supplierId, externalAccountNumber }))
    ? { attr, code: 'account_not_found', detail: 'No account has been created under this number yet.' }
    : { attr, code: 'import_process_does_not_exist', detail: 'No account was sent under this number.' };
}

/** Field errors in `error_detail`; the others are in `errors`. */
const MAX_DETAILED_ERRORS = 20;

/** The same error with the reason as one text, `error_detail`, as errors of transactions have it. */
function withErrorDetail({ code, detail, members }: PortageError): PortageError {
  const errors = (members['errors'] ?? []) as readonly FieldError[];
  const details = errors.slice(0, MAX_DETAILED_ERRORS).map((error) => `${error.attr}: ${error.detail}`);
  return new PortageError(code, detail, {
    error_detail: details.length > 0 ? details.join(' ') : detail,
    ...members,
  });
}

function referenceOf(body: PaymentInstructionRequest): string {
  return body.reference ?? body.instruction_reference ?? '';
}

function termsOf({
  use_for_scheduled_payments: scheduled,
  valid_from: validFrom,
}: PaymentInstructionRequest): InstructionTerms {
  return {
    ...(typeof scheduled === 'boolean' && { use_for_scheduled_payments: scheduled }),
    ...(validFrom && { valid_from: validFrom }),
  };
}

function errorOf(outcome: InstructionOutcome, label: InstructionLabel): PortageError | undefined {
  switch (outcome.kind) {
    case 'stored':
      return undefined;
    case 'refused':
      return new PortageError(outcome.code, VENDOR_REFUSALS[outcome.code], { ...label });
    case 'unavailable':
      return new PortageError(outcome.code, VENDOR_FAILURES[outcome.code], { ...label });
    case 'failed':
      return new PortageError(
        'error',
        'The instruction could not be stored, for a reason on our side that the operator can see in the log.',
        { ...label },
      );
  }
}
