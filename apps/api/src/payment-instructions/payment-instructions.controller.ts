import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { type Caller, CreatePaymentInstruction } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { IdempotencyKey, setReplayed } from '../http/idempotency-key';
import { setIgnoredFields } from '../http/ignored-fields';
import { givenBody } from '../http/json-body';
import { DescribeCreatePaymentInstruction } from './payment-instructions.openapi';

/** Payment instructions for accounts that were imported (contract 4.5). */
@Controller('v1/data-import/payment-instruction')
export class PaymentInstructionsController {
  constructor(private readonly instructions: CreatePaymentInstruction) {}

  @Post('create')
  @HttpCode(201)
  @DescribeCreatePaymentInstruction()
  async create(
    @CurrentCaller() { organisationId }: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ platform_account_number: string; reference: string }> {
    const { accountNumber, reference, ignoredFields, isReplayed } = await this.instructions.create(
      organisationId,
      givenBody(body),
      idempotencyKey,
    );
    setIgnoredFields(reply, ignoredFields);
    setReplayed(reply, isReplayed);
    return { platform_account_number: accountNumber, reference };
  }
}
