import { type TextFormat } from './text-format';

/**
 * Postcodes by country, as they read after normalising: capitals, single spaces. Countries that are not listed
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

/** Countries whose postcode has one space: how many characters stand after it. */
const AFTER_THE_SPACE: Readonly<Record<string, number>> = { GB: 3, CA: 3, IE: 4, NL: 2, SE: 2 };

const LONGEST_POSTCODE = 32;

/**
 * The normalised postcode, or undefined if it does not fit the country. A missing space is put where the
 * country has one, so that the same place is always spelled the same.
 */
export function readPostcode(text: string, country: string): string | undefined {
  const format = POSTCODES[country];
  if (format?.test(text)) return text;
  if (text.length > LONGEST_POSTCODE) return undefined;
  const spaced = text.toUpperCase().trim().replace(/\s+/g, ' ');
  const afterSpace = AFTER_THE_SPACE[country];
  const compact = spaced.replaceAll(' ', '');
  const normal =
    afterSpace !== undefined && compact.length > afterSpace
      ? `${compact.slice(0, -afterSpace)} ${compact.slice(-afterSpace)}`
      : spaced;
  return !format || format.test(normal) ? normal : undefined;
}

/** A postcode of the supplier's country. An address that names its country is checked against that one by a rule. */
export const postcode: TextFormat = {
  name: 'postcode',
  code: 'invalid_postcode',
  expected: "a postcode in the format of the supplier's country, such as NN99 9ZZ in Great Britain",
  example: 'NN99 9ZZ',
  read: readPostcode,
};
