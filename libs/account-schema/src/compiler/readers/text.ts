import type { TextFormat } from '../../formats/formats';
import { hasInvisibleCharacter, normalizeIdentifier } from '@portage/text';
import { identifierOf, isDotSegment, isLongerThan, isStorable, textOf } from '../../vocabulary/text';
import { Fault } from '../fault';
import { ABSENT, type Reader } from '../reader';

/** The constraints of a text; `min` and `max` are numbers of characters, both inclusive. */
export interface TextConstraints {
  readonly refuseBlank: boolean;
  readonly min: number;
  readonly max: number;
  readonly format: TextFormat | undefined;
  /** Reads the one spelling of an identifier, and rejects invisible characters. */
  readonly identifies: boolean;
  /** The text is one that URLs can have as a part of a path; of numbers, only whole ones stand for their text. */
  readonly isIdentifier: boolean;
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

/** Text that is certainly storable and visible and is read as it is. It leaves out characters that are rare in names. */
const PLAIN = /^(?! )[ -~\u00c0-\u167f\u3001-\ud7ff]+(?<! )$/;
/** An identifier that certainly has its one spelling. */
const PLAIN_ASCII = /^(?! )[ -~]+(?<! )$/;
/** Longer texts are read thoroughly, because a regular expression that backtracks needs memory for each character. */
const MAX_PLAIN_LENGTH = 1_000;

/** Trimmed text, or an identifier in its one spelling. */
export function textReader(constraints: TextConstraints): Reader {
  const { min, max, format, identifies, isIdentifier } = constraints;
  const readThoroughly = thoroughTextReader(constraints);
  // Segments of dots are shorter.
  const minLength = isIdentifier ? 3 : Math.max(min, 1);
  const maxLength = Math.min(max, MAX_PLAIN_LENGTH);
  const plain = identifies ? PLAIN_ASCII : PLAIN;
  const fault = format && formatFault(format);
  return (value, pass) => {
    const isPlain =
      typeof value === 'string' &&
      value.length >= minLength &&
      value.length <= maxLength &&
      plain.test(value);
    if (!isPlain) return readThoroughly(value, pass);
    return format && undefinedIfUnchanged(format.read(value, pass.region) ?? fault, value);
  };
}

/** Reads any value. The constraints are checked in their order of precedence. */
function thoroughTextReader(constraints: TextConstraints): Reader {
  const { refuseBlank, min, max, format, identifies, isIdentifier } = constraints;
  const tooLong = new Fault('max_length', `Enter at most ${max} characters.`);
  const tooShort = new Fault('min_length', `Enter at least ${min} characters.`);
  const badFormat = format && formatFault(format);
  const spell = identifies ? normalizeIdentifier : (text: string) => text.trim();
  return (value, pass) => {
    const text = isIdentifier ? identifierOf(value) : textOf(value);
    if (text === undefined) return isIdentifier ? NOT_AN_IDENTIFIER : NOT_TEXT;
    if (!isStorable(text)) return UNSTORABLE;
    const read = spell(text);
    if (read === '') return refuseBlank ? BLANK : ABSENT;
    if (identifies && hasInvisibleCharacter(read)) return INVISIBLE;
    if (isIdentifier && isDotSegment(read)) return DOT_SEGMENT;
    if (min > 1 && !isLongerThan(read, min - 1)) return tooShort;
    if (isLongerThan(read, max)) return tooLong;
    return undefinedIfUnchanged(format ? (format.read(read, pass.region) ?? badFormat) : read, value);
  };
}

function undefinedIfUnchanged(read: unknown, value: unknown): unknown {
  return read === value ? undefined : read;
}

function formatFault(format: TextFormat): Fault {
  return new Fault(format.code, `Enter ${format.expected}.`);
}
