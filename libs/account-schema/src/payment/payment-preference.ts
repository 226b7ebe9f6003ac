import { Choice, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { unionOf } from '../vocabulary/union';

@About('A reference to an existing mandate.')
export class ExistingInstructionRef {
  @Text("Vendor that holds the mandate, from the operator's list.", {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor_name: string;

  @Text("The vendor's reference of the mandate.", {
    identifies: true,
    required: true,
    max: 512,
    example: 'DDM-77120',
  })
  vendor_reference: string;
}

@About('A reference to a mandate of this payload.')
export class NewInstructionRef {
  @Text('Identifier of the mandate in this payload.', {
    identifies: true,
    required: true,
    max: 512,
    example: 'mandate-1',
  })
  instruction_identifier: string;
}

abstract class AnyPaymentPreference {
  @Text('Identifier of the ledger in this payload.', {
    identifies: true,
    required: true,
    example: 'ledger-energy',
  })
  ledger_identifier: string;
}

@About('The ledger is paid through an existing mandate.')
export class ActiveExistingPreference extends AnyPaymentPreference {
  @Choice('Type of the preference: an existing mandate.', ['ACTIVE_EXISTING'], { required: true })
  type: 'ACTIVE_EXISTING';

  @Nested('Reference of the mandate.', ExistingInstructionRef, { required: true })
  instruction_reference_params: ExistingInstructionRef;
}

@About('The ledger is paid through a mandate of this payload.')
export class ActiveNewPreference extends AnyPaymentPreference {
  @Choice('Type of the preference: a mandate of this payload.', ['ACTIVE_NEW'], { required: true })
  type: 'ACTIVE_NEW';

  @Nested('Reference of the mandate.', NewInstructionRef, { required: true })
  instruction_reference_params: NewInstructionRef;
}

@About('The ledger is paid by the customer without a mandate.')
export class PassivePreference extends AnyPaymentPreference {
  @Choice('Type of the preference: no mandate.', ['PASSIVE'], { required: true }) type: 'PASSIVE';
}

/** How a ledger is paid. */
export type PaymentPreference = ActiveExistingPreference | ActiveNewPreference | PassivePreference;

/** The union of all payment preferences, by `type`. */
export const anyPaymentPreference = unionOf(
  'PaymentPreference',
  'How a ledger is paid; `type` selects the kind of mandate, if any.',
  'type',
  { ACTIVE_EXISTING: ActiveExistingPreference, ACTIVE_NEW: ActiveNewPreference, PASSIVE: PassivePreference },
);
