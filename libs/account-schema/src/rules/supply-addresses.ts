import { type SupplyAddress } from '../supply/supply-address';
import { type BilledMeter, billedToDatesOf } from './terms/last-billed-to-date';
import { type MeterPoint } from '../supply/meter-point-union';
import { type Account } from '../account/account';
import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';
import { keyOf, repeats } from './terms/repeats';
import { isBillable } from './terms/supply';

/** The properties that are supplied, and which meter points they have. */
export const SUPPLY_ADDRESS_RULES: readonly Rule[] = [
  rule({
    code: 'supply_addresses_provided_while_skip_property_creation_enabled',
    path: 'supply_addresses',
    needs: ['supplier: skip_property_creation'],
    why: 'Addresses that nobody creates would be lost.',
    checks: {
      account(account, { supplier }, report) {
        if (supplier.skip_property_creation && given(account.supply_addresses))
          report('supply_addresses', "This supplier's accounts come without supply addresses.");
      },
    },
  }),
  rule({
    code: 'supply_points_provided_while_skip_supply_point_creation_enabled',
    path: 'supply_addresses.<i>.meter_points',
    needs: ['supplier: skip_supply_point_creation'],
    why: 'Meter points that nobody creates would be lost.',
    checks: {
      supplyAddress({ meter_points: points }, { supplier }, report) {
        if (supplier.skip_supply_point_creation && given(points))
          report('meter_points', "This supplier's accounts come without meter points: send an empty list.");
      },
    },
  }),
  rule({
    code: 'supply_points_not_provided_while_skip_supply_point_creation_disabled',
    path: 'supply_addresses.<i>.meter_points',
    completeness: true,
    needs: ['supplier: skip_supply_point_creation'],
    why: 'An address without a meter point is not supplied.',
    checks: {
      supplyAddress({ meter_points: points }, { supplier }, report) {
        if (!supplier.skip_supply_point_creation && !given(points))
          report('meter_points', 'Send the meter points of the address.');
      },
    },
  }),
  rule({
    code: 'no_supply_point_on_supply',
    path: 'supply_addresses',
    completeness: true,
    needs: ['supplier: skip_supply_point_creation', 'clock'],
    why: 'An account with nothing on supply has nothing to bill.',
    checks: {
      account(account, { meterPoints, supplier, isPortfolioLead, today }, report) {
        const isWaived =
          supplier.skip_supply_point_creation || isPortfolioLead || account.account_type === 'SYSTEM';
        if (!isWaived && !meterPoints.some(({ point }) => isBillable(point, today)))
          report('supply_addresses', 'Send at least one meter point that is still on supply.');
      },
    },
  }),
  rule({
    code: 'duplicate_supply_addresses_found',
    path: 'supply_addresses.<i>',
    why: 'A property would be created twice.',
    checks: {
      account({ supply_addresses: addresses }, _facts, report) {
        for (const i of repeats(addresses, whereItIs))
          report(
            `supply_addresses.${i}`,
            'There is another supply address with these lines and this postcode.',
          );
      },
    },
  }),
  rule({
    code: 'duplicate_property_external_identifiers',
    path: 'supply_addresses.<i>.property_external_identifier',
    why: 'A property is found again by its identifier.',
    checks: {
      account({ supply_addresses: addresses }, _facts, report) {
        for (const i of repeats(addresses, (one) => one.property_external_identifier))
          report(
            `supply_addresses.${i}.property_external_identifier`,
            'There is another supply address with this identifier.',
          );
      },
    },
  }),
  rule({
    code: 'duplicate_meter_points_provided',
    path: 'supply_addresses.<i>.meter_points.<j>.identifier',
    why: 'A meter point is supplied once.',
    checks: {
      supplyAddress({ meter_points: points }, _facts, report) {
        for (const i of repeats(points, ({ identifier }) => identifier))
          report(
            `meter_points.${i}.identifier`,
            `The address has another meter point ${quote(points[i]?.identifier ?? '')}.`,
          );
      },
    },
  }),
  rule({
    code: 'duplicate_meter_points_on_different_supply_addresses_provided',
    path: 'supply_addresses.<i>.meter_points.<j>.identifier',
    why: 'A meter point is in one place.',
    checks: {
      account(_account, { meterPoints }, report) {
        const addressOf = new Map<string, number>();
        for (const { point, address, path } of meterPoints) {
          const first = addressOf.get(point.identifier);
          if (first === undefined) addressOf.set(point.identifier, address);
          else if (first !== address)
            report(
              `${path}.identifier`,
              `Another address has the meter point ${quote(point.identifier)} too.`,
            );
        }
      },
    },
  }),
  rule({
    code: 'multiple_property_administrators',
    path: 'supply_addresses.<i>.property_administrators',
    why: 'A property has one landlord or developer.',
    checks: {
      supplyAddress({ property_administrators: administrators }, _facts, report) {
        if (administrators && administrators.length > 1)
          report('property_administrators', `Send one at most, not ${administrators.length}.`);
      },
    },
  }),
  rule({
    code: 'unbilled_former_supply_address',
    path: 'supply_addresses.<i>.customer_at_supply_address_to_date',
    needs: ['supplier: import_supply_address_history', 'clock'],
    why: 'A place that the customer has left is billed by the old system, to the end.',
    checks: {
      supplyAddress(address, { supplier, account, today }, report) {
        const { customer_at_supply_address_to_date: left } = address;
        if (!supplier.import_supply_address_history || !given(left) || left >= today) return;
        if (address.meter_points.some((point) => !isBilledUpTo(left, point, account)))
          report(
            'customer_at_supply_address_to_date',
            `The customer left on ${left}, and a meter point there is not billed up to that day.`,
          );
      },
    },
  }),
];

/** Lines that tell two properties apart, in any case; the postcode is in normal form already. */
function whereItIs(address: SupplyAddress): string {
  const line = (text: string | undefined) => text?.trim().toLowerCase() ?? '';
  return keyOf(line(address.supply_address1), line(address.supply_address2), address.supply_postcode);
}

function isBilledUpTo(day: string, point: MeterPoint, account: Account): boolean {
  const meters: readonly BilledMeter[] = given(point.meters) ? point.meters : [{}];
  return meters
    .flatMap((meter) => billedToDatesOf(meter, point, account))
    .every((billedTo) => billedTo !== undefined && billedTo >= day);
}
