import { unionOf } from '../vocabulary/union';
import { ElectricityMeterPoint } from './electricity-meter-point';
import { GasMeterPoint } from './gas-meter-point';

/** A meter point for electricity or gas. */
export type MeterPoint = ElectricityMeterPoint | GasMeterPoint;

/** The union of all meter points, by `supply_type`. */
export const anyMeterPoint = unionOf(
  'MeterPoint',
  'A meter point; `supply_type` selects its form.',
  'supply_type',
  { ELECTRICITY: ElectricityMeterPoint, GAS: GasMeterPoint },
);
