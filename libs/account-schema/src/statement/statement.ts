import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Decimal, PartIdentifier, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A historical statement, stored as a document.')
export class Statement {
  @PartIdentifier("Identifier of the statement in the supplier's system, unique in the account.", {
    required: true,
    example: 'ST-2024-05',
  })
  statement_id: string;

  @CalendarDate('First day of the statement period.', { required: true, example: '2024-05-01' })
  bill_period_from_date: string;

  @CalendarDate('Last day of the statement period.', { required: true, example: '2024-05-31' })
  bill_period_to_date: string;

  @CalendarDate('Day on which the statement was issued.', { nullable: true }) issued_date?: string | null;

  @Text('Number of the statement, as shown to the customer.', {
    identifies: true,
    example: 'INV-2024-05-100231',
  })
  number?: string;

  /** Some suppliers have sent major units, so decimals are accepted and stored unchanged. */
  @Decimal('Total including tax: 11261 is 112.61. A number with decimals is stored as it was sent.', {
    nullable: true,
    whole: 15,
    places: 10,
    amount: AMOUNTS.minorTotal,
    example: 11261,
  })
  gross_amount?: string | null;

  @Text("Path of the PDF, relative to the supplier's document root.", { example: 'A-100231/2024-05.pdf' })
  statement_path?: string;
}
