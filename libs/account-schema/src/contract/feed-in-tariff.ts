import { postcode } from '../formats/formats';
import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  Integer,
  ListOf,
  ListOfTexts,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

const HOLD_REASONS = [
  'HAS_NOMINATED_RECIPIENT',
  'INVOLVED_IN_COO',
  'SWITCH_LOSS',
  'LINKED_TO_WRONG_ACCOUNT',
  'PAID_INCORRECTLY',
  'MIGRATED_IN_DISPUTE',
  'AWAITING_SIGNED_FIT_PLAN',
  'CLOSED_INSTALLATION',
  'NEEDS_MANUAL_PAYMENT',
  'BIENNIAL_DISPUTES',
  'OTHER',
] as const;

@About('Address of an installation.', { tier: 'gbr' })
export class FitAddress {
  @Text('First line of the address.', { required: true, example: '4 Weir Cottages' }) line1: string;
  @Text('Second line of the address.') line2?: string;
  @Text('Town.') town?: string;
  @Text('County.') county?: string;
  @Text('Postcode.', { required: true, format: postcode }) postcode: string;
}

@About('Payments that are being withheld.', { tier: 'gbr' })
export class FitCreditHold {
  @CalendarDate('First day of the hold.', { required: true }) active_from: string;
  @Choice('Why.', HOLD_REASONS, { required: true }) reason: (typeof HOLD_REASONS)[number];
  @Text('Reason for the hold.') notes?: string;
}

@About('A later extension of an installation that is not eligible for payments.', { tier: 'gbr' })
export class FitExtension {
  @Integer('Number of the extension.', { required: true, example: 1 }) reference_number: number;
  @Decimal('Capacity added, in kWh.', { example: '3.5' }) installed_capacity?: string;
}

@About('An installation that generates electricity under the feed-in tariff.', { tier: 'gbr' })
export class FitInstallation {
  @Code('Identifier of the installation in the national register.', {
    required: true,
    example: 'FIT00112233-1',
  })
  fit_id: string;

  @Nested("Address of the installation, if the register's is wrong.", FitAddress) address?: FitAddress;
  @Nested('Details of the hold, if payments are withheld.', FitCreditHold) credit_hold?: FitCreditHold;

  @ListOf('Extensions that are not eligible for payments.', FitExtension)
  non_eligible_extensions?: FitExtension[];
}

@About("A reading of an installation's meter.", { tier: 'gbr' })
export class FitReading {
  @CalendarDate('Day of the reading.', { required: true }) reading_date: string;

  @Decimal('Value of the reading, in kWh.', { required: true, example: '4210.00' }) reading_value: string;
}

const FIT_METER_TYPES = ['EXPORT', 'SUPPLY', 'GENERATION'] as const;

@About('A meter by which one or more installations are paid.', { tier: 'gbr' })
export class FitMeter {
  @Choice('Type of the meter.', FIT_METER_TYPES, { required: true }) type: (typeof FIT_METER_TYPES)[number];

  @Code('Serial number of the meter.', { required: true, example: 'G09A11234' }) serial_number: string;

  @ListOfTexts('Extensions that the meter serves, by their numbers in the national register.', {
    item: { identifies: true },
    required: true,
    arrayMinSize: 1,
    example: ['1'],
  })
  extensions: string[];

  @CalendarDate('First day that has not been paid.', { required: true }) last_billed_to_date: string;

  @Nested('Reading from which payment continues.', FitReading, { required: true })
  transfer_reading: FitReading;

  @Code('MPAN of 13 digits; optional for export and generation.') mpan?: string;
  @Text('Manufacturer of the meter.') make?: string;
  @Text('Model of the meter.') model?: string;
}

const FIT_PAYMENT_METHODS = ['BACS', 'CHEQUE', 'CHAPS', 'FOREIGN_CHAPS'] as const;

@About('Generation under the British feed-in tariff and its payment.', { tier: 'gbr' })
export class FeedInTariff {
  @ListOf('All installations of one generator.', FitInstallation, { required: true, arrayMinSize: 1 })
  installations: FitInstallation[];

  @ListOf('Meters of the installations; listed separately because installations may share one.', FitMeter, {
    required: true,
    arrayMinSize: 1,
  })
  meters: FitMeter[];

  @Choice('How payments are made to the generator.', FIT_PAYMENT_METHODS, { required: true })
  payment_method: (typeof FIT_PAYMENT_METHODS)[number];

  @Text("Payment vendor, from the operator's list; required for BACS.", { list: 'payment_vendors' })
  vendor_name?: string;

  @Code("The vendor's reference of the mandate; required for BACS.", { maxLength: 512 })
  instruction_reference?: string;

  @Code('VAT number, if VAT is due on exports.') vat_number?: string;
}
