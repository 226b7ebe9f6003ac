import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { TaskParams } from '@portage/account-schema';
import type { Measure } from '@portage/imports';
import { LINE_OUTCOMES, type LineOutcome } from '@portage/submissions';
import { ChoicesField, IntegerField, SupplierField, TextField } from '../http/fields';
import { SchemaKeywords } from '../openapi/schema-keywords';

/** Rows of the longest page. */
const MAX_PAGE_ROWS = 1_000;

/** The query of the list of submissions. */
export class SubmissionsQuery {
  @SupplierField()
  supplier: string;

  @IntegerField({
    min: 1,
    max: MAX_PAGE_ROWS,
    default: 100,
    description: 'Rows of a page',
    detail: `limit must be a whole number from 1 to ${MAX_PAGE_ROWS}.`,
  })
  limit: number;

  @TextField({
    max: Infinity,
    description: 'The id of the last row of the previous page',
    detail: 'after must be one id of a submission.',
  })
  after?: string;
}

/** The query of the results of a submission. */
export class ResultsQuery {
  @ChoicesField(LINE_OUTCOMES, {
    description:
      'Only accounts with this outcome. May be repeated or have commas. By default all are listed.',
  })
  outcome?: LineOutcome[];
}

@ApiSchema({ description: 'Control totals, any of the measures.' })
@SchemaKeywords({ additionalProperties: false })
export class ExpectedTotals implements Partial<Record<Measure, unknown>> {
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  accounts?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  customers?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  supply_points?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  statements?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  transactions?: number | null;

  @ApiPropertyOptional({
    anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
    description: 'In the currency of the supplier, as decimal text.',
  })
  opening_balance?: string | number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  payment_instructions?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0 })
  debts?: number | null;
}

/** The body that opens a submission. Its use case validates it. */
export class OpenSubmissionRequest {
  @ApiProperty({ description: 'Import supplier code' })
  import_supplier: string;

  @ApiProperty({ minLength: 1, maxLength: 128, description: 'Unique for each supplier.' })
  reference: string;

  @ApiPropertyOptional({ type: ExpectedTotals, nullable: true })
  expected?: ExpectedTotals | null;

  @ApiPropertyOptional()
  task_params?: TaskParams;
}
