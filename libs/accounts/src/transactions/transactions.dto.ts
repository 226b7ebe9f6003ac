import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { TransactionResultStatus } from './transaction-identity';

/** The result for one transaction (contract, "Transaction"). */
export class TransactionResult {
  @ApiProperty({ type: String, enum: ['TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_ALREADY_EXISTS'] })
  status: TransactionResultStatus;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The submitted transaction, with `amount` as text with two decimals. With TRANSACTION_ALREADY_EXISTS its `status` is TRANSACTION_IMPORT_SUCCESS. With `differences` it is the stored transaction.',
  })
  transaction_data: object;

  @ApiPropertyOptional({
    type: [String],
    description:
      'With TRANSACTION_ALREADY_EXISTS: the fields in which the submitted transaction differs from the one that the account has under this `transaction_id`. The account is unchanged.',
  })
  differences?: string[];

  @ApiPropertyOptional({
    format: 'date',
    description: 'The submitted date of a transaction that was moved into the open statement period.',
  })
  moved_from?: string;

  @ApiPropertyOptional({ format: 'date', description: 'The date to which it was moved.' })
  moved_to?: string;
}
