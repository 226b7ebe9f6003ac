import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { commonNumberReader } from './common-phone-number';
import { replaceInvisible } from '@portage/text';
import type { TextFormat } from './text-format';

/** Longer texts are not phone numbers, whatever separators they use. */
const MAX_PHONE_NUMBER_LENGTH = 64;

/**
 * A phone number that exists in the numbering plan of its country, written in the national format of the supplier's
 * country or internationally; converted to E.164. E.164 has no extensions, so a number with one is rejected.
 */
export const phoneNumber: TextFormat = {
  name: 'phone number',
  code: 'invalid_phone_number',
  expected: 'a phone number that exists in the numbering plan, such as 01212345678 or +441212345678',
  example: '01212345678',
  read: (text, region) => {
    const readCommon = commonNumberReader(region);
    const common = readCommon?.(text);
    if (common !== undefined || text.length > MAX_PHONE_NUMBER_LENGTH) return common;
    const number = withoutWrapping(text);
    return readCommon?.(number) ?? parseWithLibrary(number, region);
  },
};

/** Without the marks of direction that programs of contacts put around numbers, and `tel:` of links (RFC 3966). */
function withoutWrapping(text: string): string {
  return replaceInvisible(text, '').trim().replace(/^tel:/i, '');
}

/** Parses a number with the library; undefined if it is invalid. */
export function parseWithLibrary(text: string, region: string): string | undefined {
  if (text.length > MAX_PHONE_NUMBER_LENGTH) return undefined;
  const number = parsePhoneNumberFromString(text, { defaultCountry: countryOf(region), extract: false });
  return number && !number.ext && number.isValid() ? number.number : undefined;
}

function countryOf(region: string): CountryCode | undefined {
  return isSupportedCountry(region) ? region : undefined;
}
