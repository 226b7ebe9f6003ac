import { type CountryCode, isSupportedCountry, Metadata, type MetadataJson } from 'libphonenumber-js/core';
import metadataJson from 'libphonenumber-js/metadata.max.json';

const allMetadata = metadataJson as unknown as MetadataJson;

/** Reads a number into E.164 if it is sure of it; undefined means "ask the library", not "invalid". */
export type CommonNumberReader = (text: string) => string | undefined;

/**
 * Parsing one number takes the library some 25 microseconds, more than all the rest of a payload. Most numbers
 * are digits of a fixed line or mobile of the supplier's own country, perhaps in groups; these are matched here
 * against the library's own patterns, compiled once a country. It may only say yes where the library does (a property test
 * holds the two together).
 */
export function commonNumberReader(region: string): CommonNumberReader | undefined {
  let reader = readers.get(region);
  if (reader === undefined) {
    if (!isSupportedCountry(region as CountryCode, allMetadata)) return undefined;
    reader = buildReader(region as CountryCode) ?? ((): undefined => undefined);
    readers.set(region, reader);
  }
  return reader;
}

const readers = new Map<string, CommonNumberReader>();

/** The parts of the library's metadata that its type declarations leave out. */
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
const GROUPS_OF_DIGITS = /^(?:\+?\d+|\(\d+\))(?:[ -]\d+)+$/;

function buildReader(region: CountryCode): CommonNumberReader | undefined {
  const metadata = new Metadata(allMetadata);
  metadata.selectNumberingPlan(region);
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const callingCode = plan.callingCode();
  // Where countries share a calling code only the first one's patterns decide without looking at the others.
  if ((metadata as unknown as CallingCodes).getCountryCodesForCallingCode(callingCode)[0] !== region)
    return undefined;
  const international = `+${callingCode}`;
  const prefix = plan.nationalPrefixTransformRule() ? '' : (plan.nationalPrefix() ?? '');
  const general = wholly(plan.nationalNumberPattern());
  const kinds = ['MOBILE', 'FIXED_LINE'].flatMap((name) => kindOf(plan, name));

  return (given) => {
    const text = GROUPS_OF_DIGITS.test(given) ? given.replace(/[() -]/g, '') : given;
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

function kindOf(plan: NumberingPlan, name: string): { pattern: RegExp; lengths: number[] | undefined }[] {
  const kind = plan.type(name);
  return kind?.pattern() ? [{ pattern: wholly(kind.pattern()), lengths: kind.possibleLengths() }] : [];
}

function wholly(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
