import { mpanOrMprn } from '../formats/supply-point-identifier';
import { CalendarDate, Choice, Decimal, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('What a broker earns on one supply point of the account.')
export class CommissionContract {
  @Text('Organisation that earns the commission, by the name the operator lists it under.', {
    required: true,
    max: 128,
    tier: 'gbr',
    example: 'Quayside Brokers',
  })
  affiliate_organisation_name: string;

  @Text('Supply point the contract is about: its MPAN or MPRN.', {
    required: true,
    format: mpanOrMprn,
    tier: 'gbr',
  })
  mpxn: string;

  @CalendarDate('First day of the contract.', { required: true, tier: 'gbr' })
  effective_from: string;

  @CalendarDate('Day on which the contract no longer counts.', { required: true, tier: 'gbr' })
  effective_to: string;

  @Choice('Whether the commission is still owed or settled.', ['PAID', 'PAYABLE'], {
    required: true,
    tier: 'gbr',
    example: 'PAYABLE',
  })
  status: string;

  @Choice('How the commission is worked out.', ['UNIT_RATE_UPLIFT'], { tier: 'gbr', deprecated: true })
  commission_type?: string;

  @Decimal('Pence a kWh put on top of the unit rate.', {
    whole: 10,
    places: 3,
    tier: 'gbr',
    example: '0.400',
  })
  unit_rate_uplift?: string;

  @Decimal('Pence a day put on top of the standing charge.', { whole: 10, places: 3, tier: 'gbr' })
  standing_charge_uplift?: string;

  @Decimal('Uplift in pence, as it was sent before the two uplifts were told apart.', {
    whole: 11,
    places: 2,
    tier: 'gbr',
    deprecated: 'unit_rate_uplift',
  })
  value?: string;
}
