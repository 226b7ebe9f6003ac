import { mprn } from '../formats/supply-point-identifier';
import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { GasAgreement } from './gas-agreement';
import { GasMeter } from './gas-meter';
import { AnyMeterPoint } from './meter-point';
import { AqEntry } from './settlement';

const DISTRIBUTION_ZONES = [
  'SC',
  'LC',
  'LO',
  'LS',
  'LT',
  'LW',
  'NO',
  'NE',
  'NW',
  'WM',
  'EM',
  'EA',
  'WN',
  'WS',
  'NT',
  'SO',
  'SE',
  'SW',
  '',
];

@About('A meter point for gas.')
export class GasMeterPoint extends AnyMeterPoint {
  @Choice('Type of supply: gas.', ['GAS'], { required: true }) supply_type: 'GAS';

  @Text('Identifier of the supply point; the MPRN in Great Britain.', {
    identifies: true,
    required: true,
    format: mprn,
  })
  identifier: string;

  @ListOf('Consecutive agreements on the price.', GasAgreement, { inExample: true })
  agreements?: GasAgreement[];

  @ListOf('Meters, including removed ones.', GasMeter, { inExample: true }) meters?: GasMeter[];

  @Text('Market participant identifier of the shipper.', {
    identifies: true,
    required: true,
    max: 3,
    tier: 'gbr',
    example: 'XSH',
  })
  shipper_mpid: string;

  @Choice('Local distribution zone.', DISTRIBUTION_ZONES, { tier: 'gbr', example: 'EM' }) ldz?: string;

  @Choice('Regular reading cycle reported to agents.', ['CYYY', 'CYSS', 'CYQS', 'CYLM', 'CYSM', 'CYNM'], {
    tier: 'gbr',
  })
  regular_reading_cycle?: string;

  @ListOf('Consecutive annual quantities, one of them current.', AqEntry, { tier: 'gbr' })
  aq_history?: AqEntry[];

  @Text('Meter asset manager to appoint if the supply point is switched through the market.', {
    max: 3,
    nullable: true,
    tier: 'gbr',
  })
  mam_to_appoint?: string | null;
}
