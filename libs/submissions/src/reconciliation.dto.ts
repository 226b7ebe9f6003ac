import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type Measure, MEASURES } from '@portage/imports';
import { ADDITION_MEASURES, type AdditionMeasure } from './additions/addition-measures';

const COUNT_OR_AMOUNT = { anyOf: [{ type: 'integer' }, { type: 'string' }] };

/** A number, or decimal text for opening balances. */
type MeasureValue = number | string;

/** One measure of a reconciliation. A value is a number, or for opening balances decimal text with two decimals. */
@ApiSchema({ name: 'ReconciledMeasure' })
export class ReconciledMeasureView {
  @ApiProperty({
    type: String,
    enum: [...new Set([...MEASURES, ...ADDITION_MEASURES])],
    description: 'Those of accounts, or those of additions.',
  })
  measure: Measure | AdditionMeasure;

  @ApiPropertyOptional({ description: 'ISO 4217, of a measure that is an amount of money.' })
  currency?: string;

  @ApiPropertyOptional({
    type: String,
    enum: ['minor'],
    description: 'With `statement_total`: it is in the lowest denomination of the currency, such as pence.',
  })
  unit?: 'minor';

  @ApiProperty({
    anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }],
    description: 'As stated when it was opened.',
  })
  expected: MeasureValue | null;

  @ApiProperty({ ...COUNT_OR_AMOUNT, description: 'Of all lines, as they were sent.' })
  received: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description: 'Of what the imports have written, as it is stored now.',
  })
  imported: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description:
      'Of a rehearsal (`is_dry_run`): of the lines whose account would be imported, as they were sent. 0 otherwise.',
  })
  would_be_imported: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description: 'Of lines that were refused, or whose import has ended in an error or was cancelled.',
  })
  refused_or_errored: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description: 'Of accounts whose data was erased after their import.',
  })
  erased: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description:
      'Of accounts that another submission, or a request by itself, has corrected since: as this one has sent them.',
  })
  corrected_since: MeasureValue;

  @ApiProperty({
    ...COUNT_OR_AMOUNT,
    description:
      '`imported + would_be_imported + erased + corrected_since - expected`; where nothing is expected, `received - refused_or_errored` takes its place.',
  })
  difference: MeasureValue;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'With `documents`: of the imported ones, those that are not in the document store yet. They are looked for, and are no difference.',
  })
  missing?: number;
}

/** What a supplier expected, against what was received and imported. */
@ApiSchema({ name: 'Reconciliation' })
export class SubmissionReconciliation {
  @ApiProperty()
  id: string;

  @ApiProperty()
  import_supplier: string;

  @ApiProperty()
  reference: string;

  @ApiProperty({
    description:
      'True for a rehearsal, of which nothing is imported: it is compared by what would be imported.',
  })
  is_dry_run: boolean;

  @ApiProperty({ format: 'date-time', description: 'The moment of all figures.' })
  counted_at: string;

  @ApiProperty({ type: 'integer', description: 'Accounts whose import has not ended.' })
  unfinished: number;

  @ApiProperty({ type: 'integer', description: 'Accounts that had a dry run only, and are not imported.' })
  dry_run_succeeded: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that it has created, and that are as it has sent them.',
  })
  created: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that it has corrected, and that are as it has sent them.',
  })
  corrected: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that were imported before with the same content, and still have it.',
  })
  unchanged: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that another submission, or a request by itself, has corrected since.',
  })
  corrected_since: number;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts that were taken back, or rolled back in another submission.',
  })
  taken_back: number;

  @ApiProperty({ type: 'integer', description: 'Accounts that were erased after their import.' })
  erased: number;

  @ApiProperty({
    description:
      'True if every difference is zero, as much is imported as was received and not refused, and no account is unfinished. Of a rehearsal: as much would be imported.',
  })
  reconciled: boolean;

  @ApiProperty({ type: [ReconciledMeasureView] })
  measures: ReconciledMeasureView[];
}
