import type { TextFormat } from '../../formats/formats';
import { hasInvisibleCharacter, normalizeIdentifier } from '@portage/text';
import { identifierOf, isDotSegment, isLongerThan, isStorable, textOf } from '../../vocabulary/text';
import { Fault } from '../fault';
import { ABSENT, type Reader } from '../reader';
import { NULL } from './null';

/** The constraints of a text; `min` and `max` are numbers of characters, both inclusive. */
export interface TextRules {
  readonly nullable: boolean;
  readonly refuseBlank: boolean;
  readonly min: number;
  readonly max: number;
  readonly format: TextFormat | undefined;
  /** Reads the one spelling of an identifier, and rejects invisible characters. */
  readonly identifies: boolean;
}

const NOT_TEXT = new Fault('invalid', 'Enter text.');
const UNSTORABLE = new Fault(
  'invalid',
  'Text must not contain NUL characters or unpaired surrogates.',
  false,
);
const BLANK = new Fault('blank', 'Enter some text: it must not be blank.', false);
const INVISIBLE = new Fault(
  'invalid',
  'Enter an identifier without control, bidirectional and zero-width characters.',
);
const NOT_AN_IDENTIFIER = new Fault(
  'invalid',
  'Enter text, or a whole number up to 9007199254740991; send longer ones as text.',
);
const DOT_SEGMENT = new Fault('invalid', 'An identifier must not be "." or "..".', false);

/** Trimmed text. */
export function textReader(rules: TextRules): Reader {
  const { min, max, format, identifies } = rules;
  const readThoroughly = thoroughTextReader(rules);
  const minLength = Math.max(min, 1);
  if (format === undefined && identifies) {
    return (value, pass) =>
      typeof value === 'string' && value.length >= minLength && value.length <= max && isPlainAscii(value)
        ? undefined
        : readThoroughly(value, pass);
  }
  if (format === undefined) {
    return (value, pass) =>
      typeof value === 'string' && value.length >= minLength && value.length <= max && isPlain(value)
        ? undefined
        : readThoroughly(value, pass);
  }
  const fault = formatFault(format);
  const isUnchanged = identifies ? isPlainAscii : isPlain;
  return (value, pass) => {
    if (typeof value === 'string' && value.length >= minLength && value.length <= max && isUnchanged(value)) {
      return undefinedIfUnchanged(format.read(value, pass.region) ?? fault, value);
    }
    return readThoroughly(value, pass);
  };
}

/** Reads any value. The constraints are checked in their order of precedence. */
function thoroughTextReader({ nullable, refuseBlank, min, max, format, identifies }: TextRules): Reader {
  const tooLong = new Fault('max_length', `Enter at most ${max} characters.`);
  const tooShort = new Fault('min_length', `Enter at least ${min} characters.`);
  const badFormat = format && formatFault(format);
  const spell = identifies ? normalizeIdentifier : (text: string) => text.trim();
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    const text = textOf(value);
    if (text === undefined) return NOT_TEXT;
    if (!isStorable(text)) return UNSTORABLE;
    const read = spell(text);
    if (read === '') return refuseBlank ? BLANK : ABSENT;
    if (identifies && hasInvisibleCharacter(read)) return INVISIBLE;
    if (min > 1 && !isLongerThan(read, min - 1)) return tooShort;
    if (isLongerThan(read, max)) return tooLong;
    return undefinedIfUnchanged(format ? (format.read(read, pass.region) ?? badFormat) : read, value);
  };
}

/** An identifier in its one spelling. */
export function identifierReader({
  nullable,
  refuseBlank,
  max,
}: Pick<TextRules, 'nullable' | 'refuseBlank' | 'max'>): Reader {
  const tooLong = new Fault('max_length', `Enter at most ${max} characters.`);
  return (value) => {
    if (typeof value === 'string' && value.length > 0 && value.length <= max && isPlainAscii(value))
      return isDotSegment(value) ? DOT_SEGMENT : undefined;
    if (value === null) return nullable ? undefined : NULL;
    const text = identifierOf(value);
    if (text === undefined) return NOT_AN_IDENTIFIER;
    if (!isStorable(text)) return UNSTORABLE;
    if (text === '') return refuseBlank ? BLANK : ABSENT;
    if (hasInvisibleCharacter(text)) return INVISIBLE;
    if (isDotSegment(text)) return DOT_SEGMENT;
    return isLongerThan(text, max) ? tooLong : undefinedIfUnchanged(text, value);
  };
}

function undefinedIfUnchanged(read: unknown, value: unknown): unknown {
  return read === value ? undefined : read;
}

function formatFault(format: TextFormat): Fault {
  return new Fault(format.code, `Enter ${format.expected}.`);
}

/**
 * True if the text is certainly storable, free of control characters and unchanged by trimming. Reads each
 * character once. Texts with characters that are rare in names and codes are left to the thorough reader.
 */
function isPlain(text: string): boolean {
  const last = text.length - 1;
  for (let i = 0; i <= last; i += 1) {
    const c = text.charCodeAt(i);
    if (c > 0x20 && c < 0x7f) continue;
    if (c === 0x20) {
      if (i === 0 || i === last) return false;
    } else if (c < 0xc0 || (c >= 0x1680 && c < 0x3001) || c >= 0xd800) {
      return false;
    }
  }
  return true;
}

/** True if the text has only visible ASCII characters, and spaces between them. */
function isPlainAscii(text: string): boolean {
  const last = text.length - 1;
  for (let i = 0; i <= last; i += 1) {
    const c = text.charCodeAt(i);
    if ((c > 0x20 && c < 0x7f) || (c === 0x20 && i > 0 && i < last)) continue;
    return false;
  }
  return true;
}
