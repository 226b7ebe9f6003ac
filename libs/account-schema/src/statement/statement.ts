import { CalendarDate, Decimal, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A statement of the past, kept as a document.')
export class Statement {
  @Text("The statement's identifier in the supplier's system; an account has each once.", {
    required: true,
    example: 'ST-2024-05',
  })
  statement_id: string;

  @CalendarDate('First day it covers.', { required: true, example: '2024-05-01' })
  bill_period_from_date: string;

  @CalendarDate('Last day it covers.', { required: true, example: '2024-05-31' })
  bill_period_to_date: string;

  @CalendarDate('Day of issue.', { nullable: true })
  issued_date?: string | null;

  @Text('Number that the customer sees.', { example: 'INV-2024-05-100231' })
  number?: string;

  /** Sent in minor units by most, as an amount by some: any number is kept as it is. */
  @Decimal('Total with tax.', { nullable: true, whole: 15, places: 10, example: 11261 })
  gross_amount?: string | null;

  @Text("Where the PDF lies, below the supplier's document root.", { example: 'A-100231/2024-05.pdf' })
  statement_path?: string;
}
