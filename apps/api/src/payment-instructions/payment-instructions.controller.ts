import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { PaymentInstructionRequest } from '@portage/account-schema';
import { type Caller, CreatePaymentInstruction } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayedHeader } from '../http/idempotency-key';
import { setIgnoredFieldsHeader } from '../http/ignored-fields';
import { requireBody } from '../http/json-body';
import { DescribeCreatePaymentInstruction } from './payment-instructions.openapi';

/** Creates payment instructions of imported accounts (contract 4.5). */
@Controller('v1/data-import/payment-instruction')
export class PaymentInstructionsController {
  constructor(private readonly instructions: CreatePaymentInstruction) {}

  @Post('create')
  @HttpCode(201)
  @DescribeCreatePaymentInstruction()
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ platform_account_number: string; reference: string }> {
    const { accountNumber, reference, ignoredFields, isReplayed } = await this.instructions.create(
      caller,
      requireBody(body),
      idempotencyKey,
    );
    setIgnoredFieldsHeader(reply, ignoredFields, PaymentInstructionRequest);
    setReplayedHeader(reply, isReplayed);
    return { platform_account_number: accountNumber, reference };
  }
}
