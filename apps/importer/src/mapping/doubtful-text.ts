import { encode } from 'iconv-lite';

/** Something that a text looks like without being wrong for certain. */
export type Doubt =
  | 'wrong_encoding'
  | 'lost_letter'
  | 'rounded_number'
  | 'spreadsheet_error'
  | 'null_text'
  | 'formula'
  | 'lost_zeros';

/** What each doubt means and what to do. */
export const DOUBTS: Readonly<Record<Doubt, string>> = {
  wrong_encoding:
    'looks like UTF-8 that was read in another encoding, such as MÃ¼ller for Müller. Check the encoding here and in the export',
  lost_letter:
    'has a ? where a letter may have been, such as ?ukasz for Łukasz. Export it again in an encoding that has the letter',
  rounded_number:
    'is a long number that a spreadsheet has rounded, such as 1.23457E+15. Its digits are lost: export it again as text',
  spreadsheet_error: 'is the error of a formula in a spreadsheet',
  null_text:
    'is what some databases write for a value that is missing. It stays text here: export such cells empty',
  formula: 'begins like a formula. It stays text here; a spreadsheet that opens the file may calculate it',
  lost_zeros:
    'has fewer digits than the others of its column, where no value begins with 0. A spreadsheet may have stripped the zeros: compare with the export',
};

/** Most texts have none of these, so that one look is enough. */
const SUSPICIOUS = /[?=#\u00c2-\u00f4\u{102}-\u{111}]|E[+-]\d|null|\\N/iu;

const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E[+-]\d{1,3}$/i;
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|####*)$/;
const NULL_TEXT = /^(?:NULL|null|\(null\)|\[NULL\]|<null>|\\N)$/;
const LOST_LETTER = /(?<![\p{L}\d?])\?\p{Ll}|\p{L}\?\p{L}/u;

/** Pairs of characters that two bytes of UTF-8 become in windows-1252, and letters that they may have been. */
const MISREAD = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]+/gu;
const LIKELY = /^[\u00a0-\u017f\u2010-\u2044\u20ac\u2122\ufffd]$/u;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a text looks like, if it looks like something that has gone wrong before. */
export function doubtAbout(text: string): Doubt | undefined {
  if (!SUSPICIOUS.test(text)) return undefined;
  if (ROUNDED.test(text)) return 'rounded_number';
  if (SPREADSHEET_ERROR.test(text)) return 'spreadsheet_error';
  if (NULL_TEXT.test(text)) return 'null_text';
  if (text.startsWith('=')) return 'formula';
  if (text.match(MISREAD)?.some(isMisread)) return 'wrong_encoding';
  // Addresses of the web have a ? between letters.
  if (LOST_LETTER.test(text) && !text.includes('://')) return 'lost_letter';
  return undefined;
}

/** True if the bytes of a text in windows-1252 are one likely character in UTF-8. */
function isMisread(text: string): boolean {
  const bytes = encode(text, 'windows-1252');
  return [2, 3].some((length) => {
    try {
      return LIKELY.test(utf8.decode(bytes.subarray(0, length)));
    } catch {
      return false;
    }
  });
}

/** Counts the digits of the numbers of a column, which only together say whether zeros are missing. */
export class DigitCounts {
  private readonly byLength = new Map<number, { count: number; row: number; text: string }>();
  private isPossible = true;
  private count = 0;

  private readonly minDigits: number;

  /** @param column whose name says whether it has postcodes, which are shorter than other identifiers */
  constructor(column: string) {
    this.minDigits = /post|pcode|zip|plz/i.test(column) ? 5 : 8;
  }

  add(text: string, row: number): void {
    if (!this.isPossible) return;
    if (!/^[1-9]\d{0,30}$/.test(text)) {
      // A value that begins with 0, or that is no whole number.
      this.isPossible = false;
      return;
    }
    this.count += 1;
    const known = this.byLength.get(text.length);
    if (known) known.count += 1;
    else this.byLength.set(text.length, { count: 1, row, text });
  }

  /** The values that are one or two digits shorter than most, with the first of them. */
  lostZeros(): { count: number; row: number; text: string } | undefined {
    if (!this.isPossible) return undefined;
    const longest = [...this.byLength.keys()].reduce((most, length) => Math.max(most, length), 0);
    const { count: full = 0 } = this.byLength.get(longest) ?? {};
    const shorter = [longest - 1, longest - 2].flatMap((length) => this.byLength.get(length) ?? []);
    const lost = shorter.reduce((sum, { count }) => sum + count, 0);
    // Whole numbers of any size have other lengths as well.
    if (longest < this.minDigits || lost === 0 || full + lost < this.count || full < 4 * lost)
      return undefined;
    const [first] = shorter.sort((one, other) => one.row - other.row);
    return first && { ...first, count: lost };
  }
}
