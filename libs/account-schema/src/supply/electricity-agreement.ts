import { ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyAgreement } from './agreement';
import { ElectricityBespokeRate } from './bespoke-rate';

@About('An agreement on the price of electricity at a meter point.')
export class ElectricityAgreement extends AnyAgreement {
  @ListOf('Negotiated rates; for business accounts.', ElectricityBespokeRate, { tier: 'gbr' })
  bespoke_tariff_rates?: ElectricityBespokeRate[];
}
