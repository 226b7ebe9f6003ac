import { INSTRUCTION_TYPES } from '../payment/payment-instruction';
import { CalendarDate, Choice, Flag, Identifier, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A mandate to add to an imported account. The vendor must confirm that it exists.')
export class PaymentInstructionRequest {
  @Identifier('Code of the import supplier of the account.', { required: true, example: 'LEGACY_A' })
  import_supplier: string;

  @Identifier("Number of the account in the supplier's system.", { required: true, example: 'A-100231' })
  external_account_number: string;

  @Choice('Type of mandate.', INSTRUCTION_TYPES, { required: true, example: 'CARD' }) type: string;

  @Text("Vendor that holds the mandate, from the operator's list.", {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor: string;

  @Text("The vendor's reference of the mandate.", { identifies: true, max: 512, example: 'CRD-0007-4410' })
  reference?: string;

  @Text('Former name of `reference`.', { identifies: true, max: 128, deprecated: 'reference' })
  instruction_reference?: string;

  @Text('Type of the ledger that the mandate pays into; defaults to the main ledger.', {
    identifies: true,
    list: 'ledger_types',
  })
  ledger_code?: string;

  @Flag("Whether the ledger's payment schedule collects through the mandate.", { nullable: true })
  use_for_scheduled_payments?: boolean | null;

  @CalendarDate('First day on which the mandate may be used.', { nullable: true }) valid_from?: string | null;
}
