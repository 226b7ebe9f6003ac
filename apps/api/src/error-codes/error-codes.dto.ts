import { ApiProperty } from '@nestjs/swagger';

/** A code with its explanation and its correction. */
export class ExplainedCode {
  @ApiProperty()
  code: string;

  @ApiProperty()
  explanation: string;

  @ApiProperty()
  fix: string;
}

/** A code of an error, and its HTTP status. */
export class ExplainedError extends ExplainedCode {
  @ApiProperty({ type: 'integer', description: 'HTTP status.' })
  status: number;
}

/** A field of the contract. */
export class CatalogueField {
  @ApiProperty()
  object: string;

  @ApiProperty()
  field: string;

  @ApiProperty()
  required: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Schema object of OpenAPI.' })
  schema: Record<string, unknown>;

  @ApiProperty({ type: [String] })
  error_codes: string[];
}

/** A rule about several fields. */
export class CatalogueRule extends ExplainedCode {
  @ApiProperty({ type: [String] })
  paths: string[];

  @ApiProperty({ type: [String] })
  profiles: string[];

  @ApiProperty({ type: [String] })
  needs: string[];
}

/** A warning about a value that is allowed, but implausible. */
export class CatalogueWarning extends ExplainedCode {
  @ApiProperty({ type: [String] })
  paths: string[];
}

/** The catalogue of fields, rules, warnings and error codes. */
export class ErrorCatalogue {
  @ApiProperty({ type: [ExplainedError] })
  error_codes: ExplainedError[];

  @ApiProperty({
    type: [ExplainedCode],
    description: 'Of refused lines of an upload, besides the codes of accounts.',
  })
  line_codes: ExplainedCode[];

  @ApiProperty({ type: [ExplainedCode] })
  field_codes: ExplainedCode[];

  @ApiProperty({ type: [CatalogueField] })
  fields: CatalogueField[];

  @ApiProperty({ type: [CatalogueRule] })
  rules: CatalogueRule[];

  @ApiProperty({ type: [CatalogueWarning], description: 'They refuse nothing.' })
  warnings: CatalogueWarning[];
}
