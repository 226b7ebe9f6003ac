import { mpan, mprn } from './check-digits';

/** Accounts of one seed: the valid ones, and after them the faulty ones. */
export const MAX_VALID = 900_000;
export const MAX_FAULTY = 100_000;

/** The largest seed: there are no more MPRNs of ten digits for others. The first is 1. */
export const MAX_SEED = 80;

/** Serial numbers from here are for faulty accounts. */
export const FIRST_FAULTY_SERIAL = 4_000_000;

/** What an account of the sample book is numbered by. */
interface Numbering {
  supplier: string;
  /** From 1 to {@link MAX_SEED}. */
  seed: number;
  /** Unique in a book: below {@link MAX_VALID}, or {@link MAX_FAULTY} numbers from {@link FIRST_FAULTY_SERIAL}. */
  serial: number;
}

/** The numbering of the book in `examples`. */
export const EXAMPLE = { supplier: 'DEMO', seed: 1 };

/** The serial number in the text of an account of `examples`, or of a request about it. */
export function serialOf(text: string): number {
  return Number(/DEMO-1-(\d{7})/.exec(text)?.[1]);
}

/** An account or a request of `examples`, for any number. */
export class SampleText {
  /** Texts, and places of texts that must be unique. */
  private readonly parts: readonly (string | number)[];

  constructor(text: string, from: Numbering) {
    const unique = uniqueTexts(from);
    // Whole numbers only: one can be a part of another.
    const each = new RegExp(`(?<!\\d)(${unique.join('|')})(?!\\d)`);
    this.parts = text.split(each).map((part, nth) => (nth % 2 === 0 ? part : unique.indexOf(part)));
  }

  /** The text under another number, with all values that must be unique. */
  under(to: Numbering): string {
    const unique = uniqueTexts(to);
    return this.parts.map((part) => (typeof part === 'string' ? part : unique[part])).join('');
  }
}

/** Numbers the accounts of all seeds. */
function numberOf({ seed, serial }: Numbering): number {
  const inSeed = serial < FIRST_FAULTY_SERIAL ? serial : MAX_VALID + serial - FIRST_FAULTY_SERIAL;
  return (seed - 1) * (MAX_VALID + MAX_FAULTY) + inSeed;
}

function uniqueTexts(numbering: Numbering): string[] {
  const { supplier, seed, serial } = numbering;
  const number = numberOf(numbering);
  const digits = String(number).padStart(7, '0');
  return [
    `"import_supplier":"${supplier}"`,
    `${supplier}-${seed}-${String(serial).padStart(7, '0')}`,
    mpan(String(100_100_000_000 + 2 * number)),
    mpan(String(100_100_000_000 + 2 * number + 1)),
    mprn(String(20_000_000 + number)),
    `"PROP-${number}`,
    `migration/${seed}/${serial} `,
    `account.${number}@`,
    `account.${number}b@`,
    `bills.${number}@`,
    // The sandbox of payment vendors reads the name at the beginning of a reference only.
    ...['Visa', 'Mastercard', 'Flaky', 'Expired', 'NotFound'].map((name) => `pm_sandbox${name}${digits}`),
    ...['ACTIVE', 'SUBMITTED', 'CANCELLED'].map((name) => `MDSANDBOX${name}${digits}`),
  ];
}
