import type { SupplyAddress } from '../contract/supply-address';
import { type BilledMeter, billedToDatesOf } from './terms/last-billed-to-date';
import type { MeterPoint } from '../contract/meter-points';
import type { Account } from '../contract/account';
import { type Rule, rule, customRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { findRepeats, keyOf } from './terms/find-repeats';
import { isBillable } from './terms/supply';

/** Rules about supply addresses and their meter points. */
export const SUPPLY_ADDRESS_RULES: readonly Rule[] = [
  rule({
    code: 'supply_addresses_provided_while_skip_property_creation_enabled',
    on: 'account',
    field: 'supply_addresses',
    needs: ['supplier: skip_property_creation'],
    reason: 'Properties are not created for this supplier, so the addresses would be lost.',
    breach: (account, { supplier }) =>
      supplier.skip_property_creation &&
      isGiven(account.supply_addresses) &&
      "This supplier's accounts come without supply addresses.",
  }),
  rule({
    code: 'supply_points_provided_while_skip_supply_point_creation_enabled',
    on: 'supplyAddress',
    field: 'meter_points',
    needs: ['supplier: skip_supply_point_creation'],
    reason: 'Meter points are not created for this supplier, so they would be lost.',
    breach: ({ meter_points: points }, { supplier }) =>
      supplier.skip_supply_point_creation &&
      isGiven(points) &&
      "This supplier's accounts come without meter points: send an empty list.",
  }),
  rule({
    code: 'supply_points_not_provided_while_skip_supply_point_creation_disabled',
    on: 'supplyAddress',
    field: 'meter_points',
    completeness: true,
    needs: ['supplier: skip_supply_point_creation'],
    reason: 'A supply address needs a meter point.',
    breach: ({ meter_points: points }, { supplier }) =>
      !supplier.skip_supply_point_creation && !isGiven(points) && 'Send the meter points of the address.',
  }),
  rule({
    code: 'no_supply_point_on_supply',
    on: 'account',
    field: 'supply_addresses',
    completeness: true,
    needs: ['supplier: skip_supply_point_creation', 'clock'],
    reason: 'An account without a meter point on supply has nothing to bill.',
    breach: (account, { meterPoints, supplier, isPortfolioLead, today }) => {
      const isWaived =
        supplier.skip_supply_point_creation || isPortfolioLead || account.account_type === 'SYSTEM';
      return (
        !isWaived &&
        !meterPoints.some(({ point }) => isBillable(point, today)) &&
        'Send at least one meter point that is still on supply.'
      );
    },
  }),
  customRule({
    code: 'duplicate_supply_addresses_found',
    at: ['supply_addresses.<i>'],
    reason: 'The same property would be created twice.',
    checks: {
      account({ supply_addresses: addresses }, _facts, report) {
        for (const { index, first } of findRepeats(addresses, addressKey))
          report(
            `supply_addresses.${index}`,
            `Repeats supply_addresses.${first}, which has the same lines and the same postcode.`,
          );
      },
    },
  }),
  customRule({
    code: 'duplicate_property_external_identifiers',
    at: ['supply_addresses.<i>.property_external_identifier'],
    reason: 'A property is looked up by its identifier, so the identifier must be unique.',
    checks: {
      account({ supply_addresses: addresses }, _facts, report) {
        for (const { index, first } of findRepeats(addresses, (one) => one.property_external_identifier))
          report(
            `supply_addresses.${index}.property_external_identifier`,
            `Repeats supply_addresses.${first}, which has this identifier as well.`,
          );
      },
    },
  }),
  customRule({
    code: 'duplicate_meter_points_provided',
    at: ['supply_addresses.<i>.meter_points.<j>.identifier'],
    reason: 'A meter point may appear only once at an address.',
    checks: {
      supplyAddress({ meter_points: points }, _facts, report) {
        for (const { index, first } of findRepeats(points, ({ identifier }) => identifier))
          report(
            `meter_points.${index}.identifier`,
            `Repeats meter_points.${first} of the address, which is ${quote(points[index]?.identifier ?? '')} as well.`,
          );
      },
    },
  }),
  customRule({
    code: 'duplicate_meter_points_on_different_supply_addresses_provided',
    at: ['supply_addresses.<i>.meter_points.<j>.identifier'],
    reason: 'A meter point is at one address.',
    checks: {
      account(_account, { meterPoints }, report) {
        const addressOf = new Map<string, number>();
        for (const { point, address, path } of meterPoints) {
          const first = addressOf.get(point.identifier);
          if (first === undefined) addressOf.set(point.identifier, address);
          else if (first !== address)
            report(
              `${path}.identifier`,
              `Repeats supply_addresses.${first}, which has the meter point ${quote(point.identifier)} as well.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'multiple_property_administrators',
    on: 'supplyAddress',
    field: 'property_administrators',
    reason: 'A property has one landlord or developer.',
    breach: ({ property_administrators: administrators }) =>
      administrators && administrators.length > 1 && `Send one at most, not ${administrators.length}.`,
  }),
  rule({
    code: 'unbilled_former_supply_address',
    on: 'supplyAddress',
    field: 'customer_at_supply_address_to_date',
    needs: ['supplier: import_supply_address_history', 'clock'],
    reason: 'The old system must have billed an address fully if the customer has left it.',
    breach: (address, { supplier, account, today }) => {
      const { customer_at_supply_address_to_date: left } = address;
      if (!supplier.import_supply_address_history || !isGiven(left) || left >= today) return undefined;
      return (
        address.meter_points.some((point) => !isBilledUpTo(left, point, account)) &&
        `The customer left on ${left}, but a meter point there is not billed up to that day.`
      );
    },
  }),
];

/** A case-insensitive key of the address lines and the postcode, which is normalised already. */
function addressKey(address: SupplyAddress): string {
  const line = (text: string | undefined) => text?.trim().toLowerCase() ?? '';
  return keyOf(line(address.supply_address1), line(address.supply_address2), address.supply_postcode);
}

function isBilledUpTo(day: string, point: MeterPoint, account: Account): boolean {
  const meters: readonly BilledMeter[] = isGiven(point.meters) ? point.meters : [{}];
  return meters
    .flatMap((meter) => billedToDatesOf(meter, point, account))
    .every((billedTo) => billedTo !== undefined && billedTo >= day);
}
