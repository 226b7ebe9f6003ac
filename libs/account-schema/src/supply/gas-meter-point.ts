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

@About('A point at which gas is supplied.')
export class GasMeterPoint extends AnyMeterPoint {
  @Choice('Marks gas.', ['GAS'], { required: true })
  supply_type: 'GAS';

  @Text('The MPRN in Great Britain.', { required: true, format: mprn })
  identifier: string;

  @ListOf('Agreements on the price, one after the other.', GasAgreement, { inExample: true })
  agreements?: GasAgreement[];

  @ListOf('Meters, those that were exchanged too.', GasMeter, { inExample: true })
  meters?: GasMeter[];

  @Text("The shipper's identifier in the market.", { required: true, max: 3, tier: 'gbr', example: 'XSH' })
  shipper_mpid: string;

  @Choice('Local distribution zone.', DISTRIBUTION_ZONES, { tier: 'gbr', example: 'EM' })
  ldz?: string;

  @Choice('Reading cycle that agents are told.', ['CYYY', 'CYSS', 'CYQS', 'CYLM', 'CYSM', 'CYNM'], {
    tier: 'gbr',
  })
  regular_reading_cycle?: string;

  @ListOf('Annual quantities, one after the other and one of them current.', AqEntry, { tier: 'gbr' })
  aq_history?: AqEntry[];

  @Text('Meter asset manager to appoint when the switch goes through the market.', {
    max: 3,
    nullable: true,
    tier: 'gbr',
  })
  mam_to_appoint?: string | null;
}
