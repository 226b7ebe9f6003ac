import { CalendarDate, Choice, Flag, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

/** The published types of mandates. */
export const INSTRUCTION_TYPES = ['CARD', 'CUSTOM', 'DIRECT_DEBIT', 'PAYMENT_SLIP'];

@About('A mandate to collect payments, held by a payment vendor.')
export class PaymentInstruction {
  @Choice('Type of mandate.', INSTRUCTION_TYPES, { required: true, example: 'DIRECT_DEBIT' }) type: string;

  @Text("Vendor that holds the mandate, from the operator's list.", {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor: string;

  @Text("The vendor's reference of the mandate.", {
    identifies: true,
    required: true,
    max: 512,
    example: 'DDM-77120',
  })
  reference: string;

  @Text("The vendor's reference of the customer.", { identifies: true, max: 512 })
  customer_reference?: string;

  @Text('Identifier by which other parts of the payload refer to the mandate.', {
    identifies: true,
    example: 'mandate-1',
  })
  instruction_identifier?: string;

  @Text('Type of the ledger that the mandate pays into.', {
    identifies: true,
    example: 'MAIN',
    list: 'ledger_types',
  })
  ledger_code?: string;

  @Flag("Whether the ledger's payment schedule collects through the mandate.")
  use_for_scheduled_payments?: boolean;

  @CalendarDate('First day on which the mandate may be used.', { nullable: true }) valid_from?: string | null;
}
