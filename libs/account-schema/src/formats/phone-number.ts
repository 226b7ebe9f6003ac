import { Metadata, type MetadataJson } from 'libphonenumber-js/core';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadataJson from 'libphonenumber-js/metadata.max.json';
import { replaceInvisible } from '@portage/text';
import type { TextFormat } from './formats';

/** Longer texts are not phone numbers, whatever separators they use. */
const MAX_PHONE_NUMBER_LENGTH = 64;

/**
 * A phone number that exists in the numbering plan of its country, written in the national format of the supplier's
 * country or internationally; converted to E.164. E.164 has no extensions, so a number with one is rejected.
 */
export const phoneNumber: TextFormat = {
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

const allMetadata = metadataJson as unknown as MetadataJson;

/** Converts a number to E.164 if it is certainly valid; undefined means "use the library", not "invalid". */
type CommonNumberReader = (text: string) => string | undefined;

/**
 * A fast path for common phone numbers of a country, or undefined if there is none. The library takes about 25
 * microseconds to parse a number, more than the rest of a payload together. Most numbers are fixed line or mobile
 * numbers of the supplier's own country, possibly with grouped digits. They are matched against the library's own
 * patterns, compiled once for each country. The fast path accepts only numbers that the library accepts; a property
 * test compares the two.
 */
export function commonNumberReader(region: string): CommonNumberReader | undefined {
  let reader = readers.get(region);
  if (reader === undefined) {
    if (!isSupportedCountry(region)) return undefined;
    reader = buildReader(region) ?? ((): undefined => undefined);
    readers.set(region, reader);
  }
  return reader;
}

const readers = new Map<string, CommonNumberReader>();

/** The parts of the library's metadata that its type declarations omit. */
interface NumberingPlan {
  callingCode(): string;
  nationalPrefix(): string | undefined;
  nationalPrefixTransformRule(): string | undefined;
  nationalNumberPattern(): string;
  type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
}

interface CallingCodes {
  getCountryCodesForCallingCode(callingCode: string): string[];
}

/** `+44 161 4960362`, `0161 496-0362`, `(0161) 496 0362`. */
const GROUPED_DIGITS = /^(?:\+?\d+|\(\d+\))(?:[ -]\d+)+$/;

function buildReader(region: CountryCode): CommonNumberReader | undefined {
  const metadata = new Metadata(allMetadata);
  metadata.selectNumberingPlan(region);
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const callingCode = plan.callingCode();
  // If countries share a calling code, only the first one's patterns are sufficient without those of the others.
  if ((metadata as unknown as CallingCodes).getCountryCodesForCallingCode(callingCode)[0] !== region)
    return undefined;
  const international = `+${callingCode}`;
  const prefix = plan.nationalPrefixTransformRule() ? '' : (plan.nationalPrefix() ?? '');
  const general = anchored(plan.nationalNumberPattern());
  const kinds = ['MOBILE', 'FIXED_LINE'].flatMap((name) => numberKindsOf(plan, name));

  return (given) => {
    const text = GROUPED_DIGITS.test(given) ? given.replace(/[() -]/g, '') : given;
    let national: string;
    if (text.startsWith(international)) national = text.slice(international.length);
    else if (prefix !== '' && text.startsWith(prefix)) national = text.slice(prefix.length);
    else return undefined;
    for (const { pattern, lengths } of kinds) {
      if ((!lengths || lengths.includes(national.length)) && pattern.test(national)) {
        return general.test(national) ? international + national : undefined;
      }
    }
    return undefined;
  };
}

function numberKindsOf(
  plan: NumberingPlan,
  name: string,
): { pattern: RegExp; lengths: number[] | undefined }[] {
  const kind = plan.type(name);
  return kind?.pattern() ? [{ pattern: anchored(kind.pattern()), lengths: kind.possibleLengths() }] : [];
}

function anchored(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
