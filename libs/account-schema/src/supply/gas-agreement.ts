import { ListOf } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyAgreement } from './agreement';
import { GasBespokeRate } from './bespoke-rate';

@About('An agreement on the price of gas at a meter point.')
export class GasAgreement extends AnyAgreement {
  @ListOf('Negotiated rates; for business accounts.', GasBespokeRate, { tier: 'gbr' })
  bespoke_tariff_rates?: GasBespokeRate[];
}
