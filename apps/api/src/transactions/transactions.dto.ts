import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { TransactionResult } from '@portage/accounts';
import { QueryFlag } from '../http/fields';
import { ErrorBody } from '../openapi/errors.dto';

/** The query of a transactions request (contract, "Add transactions"). */
export class TransactionsQuery {
  @QueryFlag({ default: true, description: 'Skip transactions that the account already has.' })
  check_previously_added: boolean;

  @QueryFlag({
    default: true,
    description:
      'Move a transaction outside the open statement period to the nearer edge of the period. If false, such a transaction fails the request.',
  })
  force_add_to_current_statement: boolean;
}

/** The answer to a transactions request. */
export class TransactionResults {
  @ApiPropertyOptional({
    enum: [true],
    type: Boolean,
    description: 'Present if the request asked for a dry run: everything was checked, and nothing was added.',
  })
  dry_run?: true;

  @ApiProperty({
    type: [TransactionResult],
    description: 'One result for each transaction, in the order of the request.',
  })
  results: TransactionResult[];
}

@ApiSchema({ description: 'The first transaction that cannot be added (contract, "Add transactions").' })
export class TransactionImportError extends ErrorBody {
  @ApiProperty({ type: String, enum: ['TRANSACTION_IMPORT_ERROR'] })
  status: 'TRANSACTION_IMPORT_ERROR';

  @ApiProperty({ description: 'The reason, for people.' })
  error_detail: string;

  @ApiProperty({
    anyOf: [
      { type: 'object', additionalProperties: true },
      { type: 'array', items: {} },
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'null' },
    ],
    description:
      'The submitted transaction, with `amount` as text with two decimals. A value that is no object is shown as it was sent.',
  })
  transaction_data: unknown;
}
