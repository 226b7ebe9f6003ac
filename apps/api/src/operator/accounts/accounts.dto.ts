import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ConfirmationField, FlagField, IntegerField } from '../../http/fields';
import { SchemaKeywords } from '../../openapi/schema-keywords';

/** The query of an account. */
export class AccountQuery {
  @IntegerField({
    min: 1,
    max: 1_000_000,
    default: 1,
    description: 'The page of the long lists. Page 1 has the newest rows.',
  })
  page: number;
}

@ApiSchema({ description: 'The stored data of the account, with the names of `account show --json`.' })
@SchemaKeywords({ additionalProperties: true })
export class InspectedAccount {
  @ApiProperty()
  platform_account_number: string;

  @ApiProperty()
  import_supplier: string;

  @ApiProperty()
  external_account_number: string;

  @ApiProperty({ type: 'integer', description: 'The page of the long lists. Page 1 has the newest rows.' })
  page: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'All stored rows of each long list.',
  })
  totals: Record<string, number>;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  customers: object[];

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  ledgers: object[];
}

/** The body of an erasure. */
export class EraseAccountRequest {
  @ConfirmationField('The number of the account, as the operator typed it.')
  confirm?: string;

  @FlagField({ description: 'True: its documents stay in the document store.' })
  keep_documents?: boolean;
}

/** What the erasure of an account came to. */
@ApiSchema({ name: 'ErasedAccount' })
export class ErasedAccountView {
  @ApiProperty()
  platform_account_number: string;

  @ApiProperty({ format: 'date-time' })
  erased_at: string;

  @ApiProperty()
  was_erased_before: boolean;

  @ApiProperty({ type: [String] })
  removed_documents: string[];

  @ApiProperty({ type: [String], description: 'Documents that other accounts name too, or that are kept.' })
  left_documents: string[];
}
