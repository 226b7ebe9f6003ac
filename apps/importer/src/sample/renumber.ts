import { mpan, mprn } from './check-digits';

/** What an account of the sample book is numbered by. */
export interface Numbering {
  supplier: string;
  seed: number;
  /** From 0 to 4,999,999, unique in a book. */
  serial: number;
}

/** The numbering of the book in `examples`. */
export const EXAMPLE = { supplier: 'DEMO', seed: 1 };

/** The serial number in the text of an account of `examples`, or of a request about it. */
export function serialOf(text: string): number {
  return Number(/DEMO-1-(\d{7})/.exec(text)?.[1]);
}

/** The text of an account or request under another number, with all values that must be unique. */
export function renumber(text: string, from: Numbering, to: Numbering): string {
  const [before, after] = [uniqueTexts(from), uniqueTexts(to)];
  return before.reduce((line, unique, nth) => line.replaceAll(unique, after[nth] ?? unique), text);
}

function uniqueTexts({ supplier, seed, serial }: Numbering): string[] {
  const digits = String(serial).padStart(7, '0');
  const electricity = (meter: number) =>
    mpan(`1${String(seed % 1_000).padStart(3, '0')}${String(serial * 2 + meter).padStart(8, '0')}`);
  return [
    `"import_supplier":"${supplier}"`,
    `${supplier}-${seed}-${digits}`,
    electricity(0),
    electricity(1),
    mprn(`${(seed % 9) + 1}${digits}`),
    `"PROP-${serial}`,
    `migration/${seed}/${serial} `,
    `account.${serial}@`,
    `account.${serial}b@`,
    `bills.${serial}@`,
    // The sandbox of payment vendors reads the name at the beginning of a reference only.
    ...['Visa', 'Mastercard', 'Flaky', 'Expired', 'NotFound'].map((name) => `pm_sandbox${name}${digits}`),
    ...['ACTIVE', 'SUBMITTED', 'CANCELLED'].map((name) => `MDSANDBOX${name}${digits}`),
  ];
}
