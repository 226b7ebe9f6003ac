import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Decimal, Flag, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The part of a debt that became due on one day.')
export class AgedDebt {
  @Decimal('Amount due.', { amount: AMOUNTS.debt, whole: 8, places: 2, example: '40.00' })
  debt_amount?: string;

  @CalendarDate('Day on which it became due.') due_date?: string;
}

@About('An overdue debt of the account and its collection.')
export class Debt {
  @Flag('Whether the debtor is currently insolvent.', { default: false }) is_insolvent?: boolean;

  @Text("Agency that collects the debt, from the operator's list.", {
    max: 256,
    example: 'Fernley Collections',
    list: 'debt_collection_agencies',
  })
  agency_name?: string;

  @Text('Campaign of the agency.', { max: 256 }) campaign?: string;

  @CalendarDate('Start of collection; defaults to the day of import if an agency is given.')
  start_date?: string;

  @Text('Remarks about the collection.', { max: 256 }) notes?: string;

  @Text('CAIS reference under which credit reference agencies exchange data about the debt.', {
    identifies: true,
  })
  cais_reference?: string;

  @ListOf('The debt broken down by due date.', AgedDebt) aged_debt?: AgedDebt[];
}
