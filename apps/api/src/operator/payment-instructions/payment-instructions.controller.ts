import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ViewPaymentInstructions } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import { InstructionRequestPage, InstructionRequestsQuery } from './payment-instructions.dto';
import { exampleInstructionRequest } from './payment-instructions.examples';

/** Requests for payment instructions, as operators see them. */
@ApiTags('Payment instructions')
@Controller('operator/v1')
export class OperatorPaymentInstructionsController {
  constructor(private readonly lists: ViewPaymentInstructions) {}

  @Get('suppliers/:code/payment-instructions')
  @OperatorEndpoint({
    id: 'listPaymentInstructionRequests',
    role: 'viewer',
    summary: 'List the requests for payment instructions of a supplier by their outcome, the newest first',
    description: 'Those of the last REQUEST_MEMORY_HOURS.',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of requests.',
    type: InstructionRequestPage,
    example: { items: [exampleInstructionRequest], next_cursor: null },
  })
  async list(
    @Param('code') code: string,
    @Query() { outcome, ...page }: InstructionRequestsQuery,
  ): Promise<InstructionRequestPage> {
    return this.lists.list(code, outcome, page);
  }
}
