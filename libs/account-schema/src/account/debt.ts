import { CalendarDate, Decimal, Flag, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A part of the debt by the day on which it fell due.')
export class AgedDebt {
  @Decimal('How much of it.', { whole: 8, places: 2, example: '40.00' })
  debt_amount?: string;

  @CalendarDate('When it fell due.')
  due_date?: string;
}

@About('What is overdue on the account, and who is collecting it.')
export class Debt {
  @Flag('Whether the debtor is insolvent at present.', { default: false })
  is_insolvent?: boolean;

  @Text('Agency that collects the debt.', { max: 256, example: 'Fernley Collections' })
  agency_name?: string;

  @Text("The collector's campaign.", { max: 256 })
  campaign?: string;

  @CalendarDate('When collecting began; the day of import when an agency is named without a day.')
  start_date?: string;

  @Text('Remarks about the collection.', { max: 256 })
  notes?: string;

  @Text('Reference under which credit agencies exchange the debt.')
  cais_reference?: string;

  @ListOf('The debt broken down by age; the finer, the better it ages.', AgedDebt)
  aged_debt?: AgedDebt[];
}
