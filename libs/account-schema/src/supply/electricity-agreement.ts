import { ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyAgreement } from './agreement';
import { ElectricityBespokeRate } from './bespoke-rate';

@About('What electricity costs at a meter point, from a day on.')
export class ElectricityAgreement extends AnyAgreement {
  @ListOf('Negotiated prices; for businesses.', ElectricityBespokeRate, { tier: 'gbr' })
  bespoke_tariff_rates?: ElectricityBespokeRate[];
}
