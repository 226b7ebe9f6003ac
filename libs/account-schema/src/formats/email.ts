import { isEmail } from 'class-validator';
import { type TextFormat } from './text-format';

/** Longest address there can be; longer ones are never given to the regular expressions behind `isEmail`. */
export const LONGEST_EMAIL = 254;

/** An e-mail address by class-validator's own rule. */
export const email: TextFormat = {
  name: 'e-mail address',
  code: 'invalid',
  expected: 'an e-mail address such as name@example.org',
  example: 'm.aldous@example.org',
  openApiFormat: 'email',
  read: (text) => (isCommonEmail(text) || (text.length <= LONGEST_EMAIL && isEmail(text)) ? text : undefined),
};

/**
 * Says yes to the addresses most people have: letters, digits, inner dots, hyphens, plus and underscore before
 * the at sign, a plain domain name after it. `isEmail` accepts all of them too (a property test holds the two
 * together), at thirty times the price; what this refuses is asked of `isEmail`.
 */
export function isCommonEmail(text: string): boolean {
  const at = text.indexOf('@');
  if (at < 1 || at > 64 || text.length > LONGEST_EMAIL) return false;
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

/** Labels of letters, digits and inner hyphens, the last of letters only and two of them at least. */
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
