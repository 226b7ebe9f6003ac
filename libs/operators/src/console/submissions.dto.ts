import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListedSubmissionView, SubmissionCountsView, SubmissionPlanView } from '@portage/submissions';

/** A submission in a list. */
@ApiSchema({ name: 'SubmissionSummary' })
export class SubmissionSummaryView extends ListedSubmissionView {
  @ApiProperty()
  is_dry_run: boolean;

  @ApiProperty()
  counts: SubmissionCountsView;

  @ApiProperty({
    nullable: true,
    type: Boolean,
    description:
      'Whether it agreed with its control totals at its end. Null until it has ended and that was computed.',
  })
  reconciled: boolean | null;
}

/** A submission with its rate. */
@ApiSchema({ name: 'SubmissionDetail' })
export class SubmissionDetailView extends SubmissionSummaryView {
  @ApiProperty({
    type: SubmissionPlanView,
    nullable: true,
    description: 'Of a rehearsal (`is_dry_run`): what the submission would do. Null otherwise.',
  })
  plan: SubmissionPlanView | null;

  @ApiProperty({ format: 'date-time', description: 'The moment of all these figures.' })
  counted_at: string;

  @ApiProperty({
    type: 'integer',
    description: 'Accounts with warnings, of those that were imported or rehearsed.',
  })
  accounts_with_warnings: number;

  @ApiProperty({
    nullable: true,
    type: Number,
    description:
      'Accounts that come to their end: of the last ten seconds while accounts wait, the mean after the end. Null while it is open and no account waits.',
  })
  processed_per_second: number | null;

  @ApiProperty({ nullable: true, format: 'date-time', type: String })
  estimated_end_at: string | null;

  @ApiProperty()
  opened_by: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: ['integer', 'string'],
      description: 'A number, or decimal text for opening balances.',
    } as object,
    description: 'The control totals that the supplier has stated.',
  })
  expected: object;
}
