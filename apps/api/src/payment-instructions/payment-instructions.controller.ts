import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { PaymentInstructionRequest } from '@portage/account-schema';
import { CreatePaymentInstruction } from '@portage/accounts';
import { ImportProcessReadingRepository } from '@portage/imports';
import { type ErrorCode, VENDOR_FAILURES, VENDOR_REFUSALS } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { AcceptsIdempotencyKey, NamesIgnoredFields } from '../openapi/answer-headers';
import { AnswersError } from '../openapi/errors.dto';
import {
  CreatedPaymentInstruction,
  PaymentInstructionError,
  paymentInstructionExamples,
} from './payment-instructions.dto';

const REFUSALS = Object.keys(VENDOR_REFUSALS) as ErrorCode[];
const FAILURES = Object.keys(VENDOR_FAILURES) as ErrorCode[];

/** Creates payment instructions of imported accounts (contract, "Create a payment instruction"). */
@ApiTags('After the import')
@ApiSecurity('token')
@Controller('v1/data-import/payment-instruction')
export class PaymentInstructionsController {
  constructor(
    private readonly instructions: CreatePaymentInstruction,
    private readonly processes: ImportProcessReadingRepository,
  ) {}

  @Post('create')
  @HttpCode(201)
  @Endpoint({
    id: 'createPaymentInstruction',
    summary: 'Create a payment instruction of an imported account',
    description:
      'Verifies the instruction with the payment vendor, stores it, and replaces the active instruction of the same type and ledger. Safe to repeat: the same instruction gets the same response.',
    errors: [
      'validation_error',
      'idempotency_key_reused',
      'quota_reached',
      'import_supplier_migration_not_ongoing',
      ...REFUSALS,
      ...FAILURES,
    ],
    kind: 'payment-instructions',
  })
  @AcceptsIdempotencyKey()
  @NamesIgnoredFields()
  @ApiBody({
    description: 'The account and the reference of the instruction at its vendor.',
    type: PaymentInstructionRequest,
    examples: paymentInstructionExamples,
  })
  @ApiCreatedResponse({
    description: 'The instruction is active.',
    type: CreatedPaymentInstruction,
    example: { platform_account_number: 'A-9c41e07b', reference: 'pm_1QfL2eKq8xYb' },
  })
  @AnswersError(
    400,
    `Do not repeat the request unchanged. The body is not valid, the account is not imported, or the vendor has refused the instruction: \`${REFUSALS.join('`, `')}\`.`,
    PaymentInstructionError,
  )
  @AnswersError(
    500,
    `Repeat the request unchanged. The vendor did not answer in three attempts: \`${FAILURES.join('`, `')}\`; or an internal error occurred: \`error\`.`,
    PaymentInstructionError,
  )
  @AnswersError(
    503,
    'Repeat the request unchanged after `Retry-After` seconds: it is stored and has no outcome yet, or the service is temporarily unavailable.',
    PaymentInstructionError,
  )
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedPaymentInstruction> {
    const { accountNumber, reference, ignoredFields, isReplayed } = await this.instructions.create(
      caller,
      requireBody(body),
      idempotencyKey,
      async ({ supplierId, externalAccountNumber }) =>
        (await this.processes.idOf(supplierId, externalAccountNumber)) !== undefined,
    );
    setIgnoredFieldsHeader(reply, ignoredFields, PaymentInstructionRequest);
    setReplayedHeader(reply, isReplayed);
    return { platform_account_number: accountNumber, reference };
  }
}
