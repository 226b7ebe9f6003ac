import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { commonNumberReader } from './common-phone-number';
import { type TextFormat } from './text-format';

/** Longer texts are never a phone number, whatever separators they use. */
const LONGEST_NUMBER = 64;

/**
 * A number that the numbering plan of its country has, written nationally (as in the supplier's country) or
 * internationally; read into E.164. E.164 has no extensions, so a number with one is refused, not shortened.
 */
export const phoneNumber: TextFormat = {
  name: 'phone number',
  code: 'invalid_phone_number',
  expected: 'a phone number that exists in the numbering plan, such as 01212345678 or +441212345678',
  example: '01212345678',
  read: (text, region) => commonNumberReader(region)?.(text) ?? readAnyNumber(text, region),
};

/** The library's own verdict on a number. */
export function readAnyNumber(text: string, region: string): string | undefined {
  if (text.length > LONGEST_NUMBER) return undefined;
  const number = parsePhoneNumberFromString(text, { defaultCountry: countryOf(region), extract: false });
  return number && !number.ext && number.isValid() ? number.number : undefined;
}

function countryOf(region: string): CountryCode | undefined {
  return isSupportedCountry(region) ? region : undefined;
}
