import type { TextFormat } from './text-format';

const MPAN_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43] as const;
const ZERO = 48;

/** How the check digits are computed, for the detail of an error. */
const MPAN_CHECK = `the sum of the others times ${MPAN_WEIGHTS.join(', ')}, mod 11, mod 10`;
const MPRN_CHECK = 'the sum of the others, times n down to 1 for n of them, mod 11';

/** Thirteen digits, the last of which is the check digit (weights are primes without 11; sum mod 11 mod 10). */
export function isMpan(text: string): boolean {
  if (!/^[0-9]{13}$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i += 1) sum += (MPAN_WEIGHTS[i] ?? 0) * (text.charCodeAt(i) - ZERO);
  return (sum % 11) % 10 === text.charCodeAt(12) - ZERO;
}

/** Six to ten digits, the last two of which are check digits (weights n to 1, mod 11). */
export function isMprn(text: string): boolean {
  if (!/^[0-9]{6,10}$/.test(text)) return false;
  const digits = text.length - 2;
  let sum = 0;
  for (let i = 0; i < digits; i += 1) sum += (digits - i) * (text.charCodeAt(i) - ZERO);
  return sum % 11 === Number(text.slice(digits));
}

function supplyPoint(
  name: string,
  expected: string,
  example: string,
  isValid: (text: string) => boolean,
): TextFormat {
  return {
    name,
    code: 'invalid_supply_point_identifier',
    expected,
    example,
    // Only identifiers in Great Britain have published check digits; elsewhere any text is accepted.
    read: (text, region) => (region !== 'GB' || isValid(text) ? text : undefined),
  };
}

/** Identifier of an electricity supply point. */
export const mpan = supplyPoint(
  'MPAN',
  `an MPAN core: 13 digits, the last of which is ${MPAN_CHECK}`,
  '1000000000110',
  isMpan,
);

/** Identifier of a gas supply point. */
export const mprn = supplyPoint(
  'MPRN',
  `an MPRN: 6 to 10 digits, the last two of which are ${MPRN_CHECK}`,
  '9900010107',
  isMprn,
);

/** Identifier of an electricity or gas supply point. */
export const mpanOrMprn = supplyPoint(
  'MPAN or MPRN',
  `an MPAN core (13 digits, the last one ${MPAN_CHECK}) or an MPRN (6 to 10 digits, the last two ${MPRN_CHECK})`,
  '1000000000110',
  (text) => isMpan(text) || isMprn(text),
);
