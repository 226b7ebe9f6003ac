import { CalendarDate, Choice, Flag, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

export const INSTRUCTION_TYPES = ['CARD', 'CUSTOM', 'DIRECT_DEBIT', 'PAYMENT_SLIP'];

@About('A mandate to collect payments, held by a payment vendor.')
export class PaymentInstruction {
  @Choice('Kind of mandate.', INSTRUCTION_TYPES, { required: true, example: 'DIRECT_DEBIT' })
  type: string;

  @Text('Vendor that holds it, as the operator lists it.', {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor: string;

  @Text("The vendor's reference for it.", { required: true, max: 512, example: 'DDM-77120' })
  reference: string;

  @Text("The vendor's reference for the customer.", { max: 512 })
  customer_reference?: string;

  @Text('Name that other parts of the payload point at it by.', { example: 'mandate-1' })
  instruction_identifier?: string;

  @Text('Type of the ledger that it pays into.', { example: 'MAIN' })
  ledger_code?: string;

  @Flag("Whether the ledger's schedule collects through it.")
  use_for_scheduled_payments?: boolean;

  @CalendarDate('First day on which it may be used.', { nullable: true })
  valid_from?: string | null;
}
