import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { failAt } from './yaml-node';

/** Reads a national or international phone number as E.164; undefined if it is not a valid number. */
export function phoneReader(country: string, path: string): (text: string) => string | undefined {
  if (!isSupportedCountry(country)) failAt(path, 'Give a country as two capital letters, such as GB.');
  return (text) => {
    const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
    return number?.isValid() && number.ext === undefined ? number.number : undefined;
  };
}
