import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ErrorBody } from '../openapi/errors.dto';

/** The payment instruction that is active now. */
export class CreatedPaymentInstruction {
  @ApiProperty()
  platform_account_number: string;

  @ApiProperty()
  reference: string;
}

/** An error about a payment instruction, with what names the instruction. */
export class PaymentInstructionError extends ErrorBody {
  @ApiPropertyOptional({ description: 'The reason, as in errors of transactions.' })
  error_detail?: string;

  @ApiPropertyOptional()
  import_supplier?: string;

  @ApiPropertyOptional()
  external_account_number?: string;

  @ApiPropertyOptional()
  reference?: string;
}

const card = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  type: 'CARD',
  vendor: 'STRIPE',
  reference: 'pm_1QfL2eKq8xYb',
};

/** Bodies of requests. */
export const paymentInstructionExamples = {
  card: { value: card },
  mandate: { value: { ...card, type: 'DIRECT_DEBIT', vendor: 'GOCARDLESS', reference: 'MD000A1B2C3D4E' } },
};
