import { Choice, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { unionOf } from '../vocabulary/union';

@About('A mandate that exists already.')
export class ExistingInstructionRef {
  @Text('Vendor that holds it, as the operator lists it.', {
    required: true,
    list: 'payment_vendors',
    example: 'VENDOR_A',
  })
  vendor_name: string;

  @Text("The vendor's reference for it.", { required: true, max: 512, example: 'DDM-77120' })
  vendor_reference: string;
}

@About('A mandate that comes with this payload.')
export class NewInstructionRef {
  @Text('Name that the mandate has in this payload.', { required: true, max: 512, example: 'mandate-1' })
  instruction_identifier: string;
}

abstract class AnyPaymentPreference {
  @Text('Name that the ledger has in this payload.', { required: true, example: 'ledger-energy' })
  ledger_identifier: string;
}

@About('The ledger is paid through a mandate that exists already.')
export class ActiveExistingPreference extends AnyPaymentPreference {
  @Choice('Marks an existing mandate.', ['ACTIVE_EXISTING'], { required: true })
  type: 'ACTIVE_EXISTING';

  @Nested('The mandate.', ExistingInstructionRef, { required: true })
  instruction_reference_params: ExistingInstructionRef;
}

@About('The ledger is paid through a mandate of this payload.')
export class ActiveNewPreference extends AnyPaymentPreference {
  @Choice('Marks a mandate of this payload.', ['ACTIVE_NEW'], { required: true })
  type: 'ACTIVE_NEW';

  @Nested('The mandate.', NewInstructionRef, { required: true })
  instruction_reference_params: NewInstructionRef;
}

@About('The ledger is paid by the customer without a mandate.')
export class PassivePreference extends AnyPaymentPreference {
  @Choice('Marks that there is no mandate.', ['PASSIVE'], { required: true })
  type: 'PASSIVE';
}

export type PaymentPreference = ActiveExistingPreference | ActiveNewPreference | PassivePreference;

export const anyPaymentPreference = unionOf(
  'PaymentPreference',
  'How one ledger is paid; `type` says by which mandate, if any.',
  'type',
  { ACTIVE_EXISTING: ActiveExistingPreference, ACTIVE_NEW: ActiveNewPreference, PASSIVE: PassivePreference },
);
