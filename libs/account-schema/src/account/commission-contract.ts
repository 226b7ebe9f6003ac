import { AMOUNTS } from '../vocabulary/amounts';
import { mpanOrMprn } from '../formats/supply-point-identifier';
import { CalendarDate, Choice, Decimal, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About("A broker's commission on one supply point of the account.")
export class CommissionContract {
  @Text("Name of the organisation that earns the commission, from the operator's list.", {
    required: true,
    max: 128,
    tier: 'gbr',
    example: 'Quayside Brokers',
    list: 'affiliate_organisations',
  })
  affiliate_organisation_name: string;

  @Text('MPAN or MPRN of the supply point.', {
    identifies: true,
    required: true,
    format: mpanOrMprn,
    tier: 'gbr',
  })
  mpxn: string;

  @CalendarDate('First day of the contract.', { required: true, tier: 'gbr' }) effective_from: string;
  @CalendarDate('End of the contract, exclusive.', { required: true, tier: 'gbr' }) effective_to: string;

  @Choice('Whether the commission is outstanding or settled.', ['PAID', 'PAYABLE'], {
    required: true,
    tier: 'gbr',
    example: 'PAYABLE',
  })
  status: string;

  @Choice('How the commission is calculated.', ['UNIT_RATE_UPLIFT'], { tier: 'gbr', deprecated: true })
  commission_type?: string;

  @Decimal('Uplift of the unit rate, for one kWh.', {
    amount: AMOUNTS.penceOfUnit,
    whole: 10,
    places: 3,
    tier: 'gbr',
    example: '0.400',
  })
  unit_rate_uplift?: string;

  @Decimal('Uplift of the standing charge.', {
    amount: AMOUNTS.penceOfDay,
    whole: 10,
    places: 3,
    tier: 'gbr',
  })
  standing_charge_uplift?: string;

  @Decimal('Uplift, from before there were separate fields for the two uplifts.', {
    whole: 11,
    places: 2,
    tier: 'gbr',
    amount: AMOUNTS.pence,
    deprecated: 'unit_rate_uplift',
  })
  value?: string;
}
