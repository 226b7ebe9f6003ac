import { isEmail } from 'class-validator';
import { hasInvisibleCharacter, normalizeIdentifier } from '@portage/text';
import type { TextFormat } from './text-format';

/** Maximum length of an e-mail address. Longer texts are never passed to the regular expressions of `isEmail`. */
export const MAX_EMAIL_LENGTH = 254;

/** Characters that resolvers read as the dots of a domain (UTS 46), so that two addresses would be one. */
const OTHER_DOT = /[\u3002\uff0e\uff61]/;

/**
 * An e-mail address, as checked by class-validator's `isEmail`, in its one spelling.
 */
export const email: TextFormat = {
  name: 'e-mail address',
  code: 'invalid',
  expected: 'an e-mail address such as name@example.org',
  example: 'm.aldous@example.org',
  openApiFormat: 'email',
  read: (text) => {
    if (isCommonEmail(text)) return text;
    if (text.length > MAX_EMAIL_LENGTH || OTHER_DOT.test(text)) return undefined;
    const address = normalizeIdentifier(text);
    return !hasInvisibleCharacter(address) && isEmail(address) ? address : undefined;
  },
};

/**
 * A fast path for common addresses: letters, digits, inner dots, hyphens, plus and underscore before the at sign,
 * and a plain domain name after it. `isEmail` accepts all of them too (a property test compares the two) but takes
 * thirty times as long. False means "use `isEmail`", not "invalid".
 */
export function isCommonEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || at > 64 || text.length > MAX_EMAIL_LENGTH) return false;
  return isCommonLocalPart(text, at) && isCommonDomain(text, at + 1);
}

function isCommonLocalPart(text: string, end: number): boolean {
  let afterDot = true;
  for (let i = 0; i < end; i += 1) {
    const c = text.charCodeAt(i);
    if (c === DOT) {
      if (afterDot) return false;
      afterDot = true;
    } else if (isLetterOrDigit(c) || c === HYPHEN || c === PLUS || c === UNDERSCORE) {
      afterDot = false;
    } else {
      return false;
    }
  }
  return !afterDot;
}

/** Labels of letters, digits and inner hyphens; the last label has only letters, and at least two. */
function isCommonDomain(text: string, start: number): boolean {
  let labelStart = start;
  let labels = 0;
  let lettersOnly = true;
  for (let i = start; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === DOT) {
      if (i === labelStart || i - labelStart > 63 || text.charCodeAt(i - 1) === HYPHEN) return false;
      labelStart = i + 1;
      labels += 1;
      lettersOnly = true;
    } else if (c === HYPHEN) {
      if (i === labelStart) return false;
      lettersOnly = false;
    } else if (isLetterOrDigit(c)) {
      if (c < UPPER_A) lettersOnly = false;
    } else {
      return false;
    }
  }
  const last = text.length - labelStart;
  return labels > 0 && lettersOnly && last >= 2 && last <= 63;
}

const DOT = 46;
const HYPHEN = 45;
const PLUS = 43;
const UNDERSCORE = 95;
const UPPER_A = 65;

function isLetterOrDigit(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 48 && c <= 57) || (c >= UPPER_A && c <= 90);
}
