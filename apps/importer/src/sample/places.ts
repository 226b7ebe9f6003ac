import type { Random } from './random';
import { POSTCODE_LETTERS, STREETS, TOWNS } from './words';

/** An address. */
export interface Place {
  line1: string;
  line2: string | undefined;
  town: string;
  postcode: string;
}

/** Picks a random address. */
export function pickPlace(random: Random): Place {
  const street = `${random.between(1, 180)} ${random.pick(STREETS)}`;
  const flat = random.chance(0.25) ? `Flat ${random.between(1, 40)}` : undefined;
  const [town, area] = random.pick(TOWNS);
  const postcode = `${area}99 ${random.between(1, 9)}${random.pick(POSTCODE_LETTERS)}${random.pick(POSTCODE_LETTERS)}`;
  return { line1: flat ?? street, line2: flat === undefined ? undefined : street, town, postcode };
}

/** The billing address as numbered lines: `billing_address1` to `billing_postcode`. */
export function billingLines({ line1, line2, town, postcode }: Place): Record<string, unknown> {
  return {
    billing_address1: line1,
    billing_address2: line2 ?? town,
    billing_address3: line2 === undefined ? undefined : town,
    billing_postcode: postcode,
  };
}

/** The structured billing address: `billing_address`. */
export function billingAddress({ line1, line2, town, postcode }: Place): Record<string, unknown> {
  return {
    billing_address: {
      country: 'GB',
      street_address: line2 === undefined ? line1 : `${line1}, ${line2}`,
      locality: town,
      postal_code: postcode,
    },
  };
}

/** The supply address as numbered lines. */
export function supplyLines({ line1, line2, town, postcode }: Place): Record<string, unknown> {
  return {
    supply_address1: line1,
    supply_address2: line2 ?? town,
    supply_address3: line2 === undefined ? undefined : town,
    supply_postcode: postcode,
  };
}
