import type { SupplyAddress } from '../contract/supply-address';
import { type BilledMeter, billedToDatesOf } from './terms/last-billed-to-date';
import type { MeterPoint } from '../contract/meter-points';
import type { Account } from '../contract/account';
import { each, eachRepeat, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';
import { keyOf } from './terms/find-repeats';
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
  rule({
    code: 'duplicate_supply_addresses_found',
    on: 'account',
    field: 'supply_addresses.<i>',
    reason: 'The same property would be created twice.',
    breach: ({ supply_addresses: addresses }) =>
      eachRepeat(
        addresses,
        addressKey,
        (first) => `Repeats supply_addresses.${first}, which has the same lines and the same postcode.`,
      ),
  }),
  rule({
    code: 'duplicate_property_external_identifiers',
    on: 'account',
    field: 'supply_addresses.<i>.property_external_identifier',
    reason: 'A property is looked up by its identifier, so the identifier must be unique.',
    breach: ({ supply_addresses: addresses }) =>
      eachRepeat(
        addresses,
        (one) => one.property_external_identifier,
        (first) => `Repeats supply_addresses.${first}, which has this identifier as well.`,
      ),
  }),
  rule({
    code: 'duplicate_meter_points_provided',
    on: 'supplyAddress',
    field: 'meter_points.<i>.identifier',
    reason: 'A meter point may appear only once at an address.',
    breach: ({ meter_points: points }) =>
      eachRepeat(
        points,
        (one) => one.identifier,
        (first, { identifier }) =>
          `Repeats meter_points.${first} of the address, which is ${quote(identifier)} as well.`,
      ),
  }),
  rule({
    code: 'duplicate_meter_points_on_different_supply_addresses_provided',
    on: 'account',
    field: 'supply_addresses.<i>.meter_points.<i>.identifier',
    reason: 'A meter point is at one address.',
    breach: ({ supply_addresses: addresses }) => {
      const addressOf = new Map<string, number>();
      return each(addresses, ({ meter_points: points }, address) =>
        each(points, ({ identifier }) => {
          const first = addressOf.get(identifier) ?? address;
          addressOf.set(identifier, first);
          return (
            first !== address &&
            `Repeats supply_addresses.${first}, which has the meter point ${quote(identifier)} as well.`
          );
        }),
      );
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
