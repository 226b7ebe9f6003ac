import { unionOf } from '../vocabulary/union';
import { ElectricityMeterPoint } from './electricity-meter-point';
import { GasMeterPoint } from './gas-meter-point';

export type MeterPoint = ElectricityMeterPoint | GasMeterPoint;

export const anyMeterPoint = unionOf(
  'MeterPoint',
  'A point at which something is supplied; `supply_type` says what.',
  'supply_type',
  { ELECTRICITY: ElectricityMeterPoint, GAS: GasMeterPoint },
);
