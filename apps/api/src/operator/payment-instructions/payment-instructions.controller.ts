import { Controller, Get, Param, Query } from '@nestjs/common';
import { ViewPaymentInstructions } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { InstructionRequestPage, InstructionRequestsQuery } from './payment-instructions.dto';

/** Requests for payment instructions, as operators see them. */
@Controller('operator/v1')
export class OperatorPaymentInstructionsController {
  constructor(private readonly lists: ViewPaymentInstructions) {}

  /** Those of the last REQUEST_MEMORY_HOURS. */
  @Get('suppliers/:code/payment-instructions')
  @OperatorEndpoint('viewer')
  async list(
    @Param('code') code: string,
    @Query() { outcome, ...page }: InstructionRequestsQuery,
  ): Promise<InstructionRequestPage> {
    return this.lists.list(code, outcome, page);
  }
}
