import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { SchemaKeywords } from '../openapi/schema-keywords';

/** An account that was staged. */
export class StagedAccount {
  @ApiProperty()
  external_account_number: string;

  @ApiProperty()
  import_supplier_code: string;
}

/** An account that was created. */
export class ProcessedAccount {
  @ApiProperty()
  external_account_number: string;

  @ApiProperty()
  platform_account_number: string;

  @ApiProperty({ deprecated: true, description: 'Use platform_account_number.' })
  account_number: string;
}

/** The v1 error of an account that was imported before. */
export class AlreadyImportedError {
  @ApiProperty()
  external_account_number: string;

  @ApiProperty()
  platform_account_number: string;

  @ApiProperty({ type: [String] })
  non_field_errors: string[];
}

@ApiSchema({
  description:
    'Validation errors shaped like the payload, for suppliers with the setting `v1_error_format: fields`: a list of messages at each faulty field, and `non_field_errors` for messages about an object.',
})
@SchemaKeywords({ additionalProperties: true })
export class NestedErrors {
  readonly [field: string]: unknown;
}
