import { dayReader } from '../day-form';
import { type DecimalFormat, decimalReader, THOUSANDS } from '../decimal-form';

/** The part of the values that has to have a form; the others are named as exceptions. */
const MIN_SHARE = 0.75;

/** What the values of a column have in common. */
export type FormGuess<T> =
  /** No form fits. */
  | { readonly is: 'none' }
  /** Some values can be read in several ways, which differ. */
  | { readonly is: 'ambiguous'; readonly forms: readonly T[]; readonly example: string }
  | { readonly is: 'plain'; readonly form: T; readonly exceptions: readonly string[] };

interface Candidate<T> {
  readonly form: T;
  readonly read: (value: string) => string | undefined;
}

/** The form of days, such as dd/MM/yyyy. */
export function guessDays(values: readonly string[]): FormGuess<string> {
  return guess(DAYS, values);
}

/** The form of numbers. Values without any separator have the simplest one. */
export function guessNumbers(values: readonly string[]): FormGuess<DecimalFormat> {
  return guess(NUMBERS, values);
}

const DAYS: readonly Candidate<string>[] = ['/', '-', '.', ' '].flatMap((between) =>
  ['dd MM yyyy', 'MM dd yyyy', 'yyyy MM dd', 'dd MM yy', 'MM dd yy', 'yy MM dd'].flatMap((parts) =>
    [parts, parts.replace('dd', 'd').replace('MM', 'M')].flatMap((variant) =>
      // Databases export the time of a day as well.
      ['', ' 00:00:00'].map((time) => {
        const form = `${variant.replaceAll(' ', between)}${time}`;
        return { form, read: dayReader(form, 'date') };
      }),
    ),
  ),
);

const NUMBERS: readonly Candidate<DecimalFormat>[] = [undefined, ...THOUSANDS].flatMap((thousands) =>
  ['.', ',']
    .filter((decimal) => decimal !== thousands)
    .map((decimal) => {
      const form = { decimal, thousands, negate: false };
      return { form, read: decimalReader(form, 'decimal') };
    }),
);

/**
 * The form that reads the most values. Earlier candidates are preferred to later ones that read the same values alike.
 */
function guess<T>(candidates: readonly Candidate<T>[], values: readonly string[]): FormGuess<T> {
  const readings = candidates
    .map(({ form, read }) => ({ form, read: values.map(read) }))
    .map((one) => ({ ...one, count: one.read.filter((value) => value !== undefined).length }))
    .sort((one, other) => other.count - one.count);
  const [best] = readings;
  if (best === undefined || best.count === 0 || best.count < values.length * MIN_SHARE) return { is: 'none' };
  const rivals = readings
    .filter(({ count }) => count === best.count)
    .filter((one, index, all) => all.findIndex(({ read }) => !differ(read, one.read)) === index)
    .filter((one) => one !== best);
  if (rivals.length > 0) {
    const at = values.findIndex((_, index) => rivals.some(({ read }) => read[index] !== best.read[index]));
    return {
      is: 'ambiguous',
      forms: [best, ...rivals].map(({ form }) => form),
      example: values[at] as string,
    };
  }
  return {
    is: 'plain',
    form: best.form,
    exceptions: values.filter((_, index) => best.read[index] === undefined),
  };
}

function differ(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.some((value, index) => value !== other[index]);
}
