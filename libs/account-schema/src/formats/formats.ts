import { isEmail } from 'class-validator';
import { hasInvisibleCharacter, normalizeIdentifier } from '@portage/text';
import type { ValidationProfile } from '../context';

/**
 * The format of a text and its canonical form.
 *
 * `read` receives the trimmed text, which is never blank, and the supplier's country. It returns the text to
 * store, or undefined if the text does not have the format. It must be linear in the length of the text.
 */
export interface TextFormat {
  readonly code: string;
  /** Completes "Enter ...". */
  readonly expected: string;
  readonly example: string;
  /** The only profile that checks the format; other profiles accept any text. */
  readonly profile?: ValidationProfile;
  /** Regular expression for the OpenAPI schema, if the same one applies to every country. */
  readonly pattern?: string;
  /** Name of the format in OpenAPI. */
  readonly openApiFormat?: string;
  read(text: string, region: string): string | undefined;
}

/** A format defined by a regular expression; stores the trimmed text unchanged. */
function patternFormat(format: {
  code: string;
  expected: string;
  example: string;
  pattern: RegExp;
  profile?: ValidationProfile;
}): TextFormat {
  const { pattern, ...rest } = format;
  return { ...rest, pattern: pattern.source, read: (text) => (pattern.test(text) ? text : undefined) };
}

/** Identifier of an address in the national register. */
export const deliveryPointIdentifier = patternFormat({
  code: 'invalid_delivery_point_identifier',
  expected: 'capital letters and digits only',
  example: 'NN999ZZ1A',
  pattern: /^[A-Z0-9]+$/,
});

/** Number of a broker's portfolio. */
export const portfolioNumber = patternFormat({
  code: 'invalid_portfolio_number',
  expected: 'P- followed by eight capital letters or digits, such as P-0A1B2C3D',
  example: 'P-0A1B2C3D',
  pattern: /^P-[A-Z0-9]{8}$/,
});

/** Address of a smart device: eight octets. */
export const smartDeviceIdentifier = patternFormat({
  code: 'invalid_smart_device_id',
  expected: 'eight two-digit hexadecimal octets joined by hyphens, such as 00-0B-6B-FF-12-34-56-78',
  example: '00-0B-6B-FF-12-34-56-78',
  pattern: /^[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){7}$/,
  profile: 'gb-energy',
});

/**
 * Serial number of an electricity meter in the British market, in either case: data item J0004 of the Data Transfer
 * Catalogue, CHAR(10), which the flows about meters and readings (D0010, D0149, D0150) have with a blank inside, such as
 * `F75A 00802`.
 */
export const electricityMeterSerialNumber = patternFormat({
  code: 'invalid_meter_serial_number',
  expected: 'up to 10 letters and digits, with single spaces between them',
  example: 'Z21A004410',
  pattern: /^(?=.{1,10}$)[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/,
  profile: 'gb-energy',
});

/** Serial number of a gas meter in the British market, in either case, also as it is printed: in groups. */
export const gasMeterSerialNumber = patternFormat({
  code: 'invalid_meter_serial_number',
  expected: 'up to 14 letters and digits, with single spaces between them',
  example: 'E6S0099187',
  pattern: /^(?=.{1,14}$)[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/,
  profile: 'gb-energy',
});

/** A tax year such as 2018/19; the second part is the following year. */
export const taxYear: TextFormat = {
  code: 'incorrect_format_for_tax_year',
  expected: 'a tax year written YYYY/YY whose second part is one year on, such as 2023/24',
  example: '2023/24',
  profile: 'gb-energy',
  read(text) {
    if (!/^[0-9]{4}\/[0-9]{2}$/.test(text)) return undefined;
    return (Number(text.slice(0, 4)) + 1) % 100 === Number(text.slice(5)) ? text : undefined;
  },
};

const BRITISH_COMPANY_NUMBER = /^(?:[A-Z]{2}[0-9]{6}|[0-9]{8})$/;
const WITHOUT_LEADING_ZEROS = /^[0-9]{1,7}$/;

/**
 * A company registration number. In Great Britain two letters and six digits, or eight digits; leading zeros that
 * a spreadsheet dropped are restored. Numbers of other countries are not checked.
 */
export const companyNumber: TextFormat = {
  code: 'invalid_company_number',
  expected: 'a company number in the format of the country: eight digits, or two letters and six digits',
  example: '01234567',
  read(text, region) {
    if (region !== 'GB' || BRITISH_COMPANY_NUMBER.test(text)) return text;
    const normal = text.length > 100 ? '' : text.replace(/\s+/g, '').toUpperCase();
    const padded = WITHOUT_LEADING_ZEROS.test(normal) ? normal.padStart(8, '0') : normal;
    return BRITISH_COMPANY_NUMBER.test(padded) ? padded : undefined;
  },
};

/**
 * Formats of normalised postcodes (capitals, single spaces) by country. Postcodes of countries that are not listed
 * are not checked.
 */
const POSTCODES: Readonly<Record<string, RegExp>> = {
  GB: /^(?:[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}|GIR 0AA)$/,
  IE: /^(?:[AC-FHKNPRTV-Y][0-9]{2}|D6W) [0-9AC-FHKNPRTV-Y]{4}$/,
  US: /^[0-9]{5}(?:-[0-9]{4})?$/,
  CA: /^[A-Z][0-9][A-Z] [0-9][A-Z][0-9]$/,
  AU: /^[0-9]{4}$/,
  NZ: /^[0-9]{4}$/,
  DE: /^[0-9]{5}$/,
  FR: /^[0-9]{5}$/,
  ES: /^[0-9]{5}$/,
  IT: /^[0-9]{5}$/,
  NL: /^[0-9]{4} [A-Z]{2}$/,
  BE: /^[0-9]{4}$/,
  AT: /^[0-9]{4}$/,
  CH: /^[0-9]{4}$/,
  DK: /^[0-9]{4}$/,
  NO: /^[0-9]{4}$/,
  SE: /^[0-9]{3} [0-9]{2}$/,
  PL: /^[0-9]{2}-[0-9]{3}$/,
  PT: /^[0-9]{4}-[0-9]{3}$/,
  JP: /^[0-9]{3}-[0-9]{4}$/,
};

/** Number of characters after the space, for countries whose postcode has one space. */
const CHARACTERS_AFTER_SPACE: Readonly<Record<string, number>> = { GB: 3, CA: 3, IE: 4, NL: 2, SE: 2 };

const MAX_POSTCODE_LENGTH = 32;

/**
 * The normalised postcode, or undefined if it does not fit the country. A missing space is inserted if the country's
 * format has one, so that the same postcode is always stored in the same form.
 */
export function readPostcode(text: string, country: string): string | undefined {
  const format = POSTCODES[country];
  if (format?.test(text)) return text;
  if (text.length > MAX_POSTCODE_LENGTH) return undefined;
  const spaced = text.toUpperCase().trim().replace(/\s+/g, ' ');
  const afterSpace = CHARACTERS_AFTER_SPACE[country];
  const compact = spaced.replaceAll(' ', '');
  const normal =
    afterSpace === undefined ? spaced : `${compact.slice(0, -afterSpace)} ${compact.slice(-afterSpace)}`;
  return !format || format.test(normal) ? normal : undefined;
}

/** A postcode of the supplier's country. A rule checks addresses that name their country against that country. */
export const postcode: TextFormat = {
  code: 'invalid_postcode',
  expected: "a postcode in the format of the supplier's country, such as NN99 9ZZ in Great Britain",
  example: 'NN99 9ZZ',
  read: readPostcode,
};

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

function supplyPoint(expected: string, example: string, isValid: (text: string) => boolean): TextFormat {
  return {
    code: 'invalid_supply_point_identifier',
    expected,
    example,
    // Only identifiers in Great Britain have published check digits; elsewhere any text is accepted.
    read: (text, region) => (region !== 'GB' || isValid(text) ? text : undefined),
  };
}

/** Identifier of an electricity supply point. */
export const mpan = supplyPoint(
  `an MPAN core: 13 digits, the last of which is ${MPAN_CHECK}`,
  '1000000000110',
  isMpan,
);

/** Identifier of a gas supply point. */
export const mprn = supplyPoint(
  `an MPRN: 6 to 10 digits, the last two of which are ${MPRN_CHECK}`,
  '9900010107',
  isMprn,
);

/** Identifier of an electricity or gas supply point. */
export const mpanOrMprn = supplyPoint(
  `an MPAN core (13 digits, the last one ${MPAN_CHECK}) or an MPRN (6 to 10 digits, the last two ${MPRN_CHECK})`,
  '1000000000110',
  (text) => isMpan(text) || isMprn(text),
);

/** Maximum length of an e-mail address. Longer texts are never passed to the regular expressions of `isEmail`. */
const MAX_EMAIL_LENGTH = 254;

/** Characters that resolvers read as the dots of a domain (UTS 46), so that two addresses would be one. */
const OTHER_DOT = /[\u3002\uff0e\uff61]/;

/** An e-mail address, as checked by class-validator's `isEmail`, in its one spelling. */
export const email: TextFormat = {
  code: 'invalid',
  expected: 'an e-mail address such as name@example.org',
  example: 'm.aldous@example.org',
  openApiFormat: 'email',
  read: (text) => {
    if (text.length > MAX_EMAIL_LENGTH || OTHER_DOT.test(text)) return undefined;
    const address = normalizeIdentifier(text);
    return !hasInvisibleCharacter(address) && isEmail(address) ? address : undefined;
  },
};
