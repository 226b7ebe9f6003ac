import { INSTRUCTION_TYPES } from '../payment/payment-instruction';
import { CalendarDate, Choice, Flag, Identifier, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A mandate for an account that was imported. The vendor is asked whether it exists.')
export class PaymentInstructionRequest {
  @Identifier('Supplier that the account came from.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system.", { required: true, example: 'A-100231' })
  external_account_number: string;

  @Choice('Kind of mandate.', INSTRUCTION_TYPES, { required: true, example: 'CARD' })
  type: string;

  @Text('Vendor that holds it, as the operator lists it.', {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor: string;

  @Text("The vendor's reference for it.", { max: 512, example: 'CRD-0007-4410' })
  reference?: string;

  @Text('The same, as it was called before.', { max: 128, deprecated: 'reference' })
  instruction_reference?: string;

  @Text('Type of the ledger that it pays into; the main one unless given.')
  ledger_code?: string;

  @Flag("Whether the ledger's schedule collects through it.", { nullable: true })
  use_for_scheduled_payments?: boolean | null;

  @CalendarDate('First day on which it may be used.', { nullable: true })
  valid_from?: string | null;
}
