import type { Account, MeterPoint } from '@portage/account-schema';
import type { AccountRows } from './account-rows';
import { omitFields } from '../account/omit-fields';

const POINT_COLUMNS: ReadonlySet<string> = new Set([
  'supply_type',
  'identifier',
  'supply_start_date',
  'supply_end_date',
  'last_billed_to_date',
  'meters',
  'agreements',
] satisfies (keyof MeterPoint)[]);

const AGREEMENT_COLUMNS: ReadonlySet<string> = new Set(['tariff_code', 'effective_from', 'effective_to']);

/**
 * Builds the rows of supply points, with their meters, and of their agreements. Positions count through the account.
 */
export function supplyRows(
  { supply_addresses }: Account,
  supplierId: number,
): Pick<AccountRows, 'supply_point' | 'agreement'> {
  const rows: Pick<AccountRows, 'supply_point' | 'agreement'> = { supply_point: [], agreement: [] };
  for (const [supplyAddress, { meter_points }] of (supply_addresses ?? []).entries()) {
    for (const point of meter_points) {
      const supplyPoint = rows.supply_point.length;
      rows.supply_point.push({
        position: supplyPoint,
        supplierId,
        supplyAddressPosition: supplyAddress,
        supplyType: point.supply_type,
        identifier: point.identifier,
        supplyStartDate: point.supply_start_date,
        supplyEndDate: point.supply_end_date,
        lastBilledToDate: point.last_billed_to_date,
        meters: point.meters ?? [],
        details: omitFields(point, POINT_COLUMNS),
      });
      for (const [position, agreement] of (point.agreements ?? []).entries())
        rows.agreement.push({
          supplyPointPosition: supplyPoint,
          position,
          tariffCode: agreement.tariff_code,
          effectiveFrom: agreement.effective_from,
          effectiveTo: agreement.effective_to,
          details: omitFields(agreement, AGREEMENT_COLUMNS),
        });
    }
  }
  return rows;
}
