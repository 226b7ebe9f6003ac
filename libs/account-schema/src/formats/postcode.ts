import type { TextFormat } from './text-format';

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
    afterSpace !== undefined && compact.length > afterSpace
      ? `${compact.slice(0, -afterSpace)} ${compact.slice(-afterSpace)}`
      : spaced;
  return !format || format.test(normal) ? normal : undefined;
}

/** A postcode of the supplier's country. A rule checks addresses that name their country against that country. */
export const postcode: TextFormat = {
  name: 'postcode',
  code: 'invalid_postcode',
  expected: "a postcode in the format of the supplier's country, such as NN99 9ZZ in Great Britain",
  example: 'NN99 9ZZ',
  read: readPostcode,
};
