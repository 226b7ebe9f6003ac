import { postcode } from '../formats/postcode';
import { CalendarDate, Choice, Decimal, Integer, ListOf, Nested, Text } from '../vocabulary/decorators';
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
];

@About('Address of an installation.')
export class FitAddress {
  @Text('First line of the address.', { required: true, tier: 'gbr', example: '4 Weir Cottages' })
  line1: string;

  @Text('Second line of the address.', { tier: 'gbr' }) line2?: string;
  @Text('Town.', { tier: 'gbr' }) town?: string;
  @Text('County.', { tier: 'gbr' }) county?: string;
  @Text('Postcode.', { required: true, format: postcode, tier: 'gbr' }) postcode: string;
}

@About('Payments that are being withheld.')
export class FitCreditHold {
  @CalendarDate('First day of the hold.', { required: true, tier: 'gbr' }) active_from: string;
  @Choice('Why.', HOLD_REASONS, { required: true, tier: 'gbr' }) reason: string;
  @Text('Reason for the hold.', { tier: 'gbr' }) notes?: string;
}

@About('A later extension of an installation that is not eligible for payments.')
export class FitExtension {
  @Integer('Number of the extension.', { required: true, tier: 'gbr', example: 1 }) reference_number: number;

  @Decimal('Capacity added, in kWh.', { whole: 10, places: 10, tier: 'gbr', example: '3.5' })
  installed_capacity?: string;
}

@About('An installation that generates electricity under the feed-in tariff.')
export class FitInstallation {
  @Text('Identifier of the installation in the national register.', {
    identifies: true,
    required: true,
    tier: 'gbr',
    example: 'FIT00112233-1',
  })
  fit_id: string;

  @Nested("Address of the installation, if the register's is wrong.", FitAddress, { tier: 'gbr' })
  address?: FitAddress;

  @Nested('Details of the hold, if payments are withheld.', FitCreditHold, { tier: 'gbr' })
  credit_hold?: FitCreditHold;

  @ListOf('Extensions that are not eligible for payments.', FitExtension, { tier: 'gbr' })
  non_eligible_extensions?: FitExtension[];
}
