import { ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyAgreement } from './agreement';
import { GasBespokeRate } from './bespoke-rate';

@About('What gas costs at a meter point, from a day on.')
export class GasAgreement extends AnyAgreement {
  @ListOf('Negotiated prices; for businesses.', GasBespokeRate, { tier: 'gbr' })
  bespoke_tariff_rates?: GasBespokeRate[];
}
