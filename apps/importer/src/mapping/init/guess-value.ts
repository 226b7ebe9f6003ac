import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { FieldType, ValueFacts } from '../account-fields';
import { escapeUnseen, quoteSample, quoteText } from '../quote-value';
import type { ColumnSample } from './column-sample';
import { guessDays, guessNumbers } from './value-forms';

/** The country of phone numbers without a country code, until the mapping says another. */
export const REGION = 'GB';

/** The part of the values that has to fit. */
const MIN_SHARE = 0.75;

/** How many values a translation has at most. */
const MAX_CHOICES = 30;

/** What a field is mapped to. */
export interface GuessedValue {
  /** The form in YAML, or several that the reader has to choose from. */
  readonly forms: readonly string[];
  readonly reason: string;
  /** True if the values leave open what they mean: then nothing is mapped. */
  readonly isOpen: boolean;
}

/** What the values of a column say about a field that its name suggests; undefined if they do not fit. */
export function guessValue(column: ColumnSample, field: string, type: FieldType): GuessedValue | undefined {
  if (type.is === 'object' || type.is === 'list' || type.facts === undefined) return undefined;
  const { facts } = type;
  if (column.values.length === 0 || type.is === 'json') return undefined;
  if (facts.isDay) return dayOf(column);
  if (facts.isDecimal) return numberOf(column, facts);
  if (facts.choices !== undefined) return choiceOf(column, facts.choices);
  if (type.is === 'flag') return flagOf(column);
  if (/\.(mobile|landline)$/.test(field)) return phoneOf(column);
  const fits = column.values.filter((value) => isPlain(value, field, type.is)).length;
  if (fits < column.values.length * MIN_SHARE) return undefined;
  return { forms: [scalar(column.name)], reason: '', isOpen: false };
}

/** True if most numbers are those of mobile phones. */
export function areMobile({ values }: ColumnSample): boolean {
  const mobile = values.filter(
    (value) => parsePhoneNumberFromString(value, { defaultCountry: REGION })?.getType() === 'MOBILE',
  );
  return mobile.length * 2 > values.length;
}

function isPlain(value: string, field: string, type: FieldType['is']): boolean {
  if (type === 'integer') return /^\d+$/.test(value);
  return !field.endsWith('.email') || /^\S+@\S+$/.test(value);
}

function dayOf({ name, values }: ColumnSample): GuessedValue | undefined {
  const guess = guessDays(values);
  if (guess.is === 'none') return undefined;
  const inForm = (form: string) => `{ column: ${scalar(name)}, date: ${form} }`;
  if (guess.is === 'ambiguous')
    return {
      forms: guess.forms.map(inForm),
      reason: `${quoteSample(guess.example)} can be read in each of these forms`,
      isOpen: true,
    };
  return {
    forms: [inForm(guess.form)],
    reason: `days as ${guess.form}${describeExceptions(guess.exceptions)}`,
    isOpen: false,
  };
}

function numberOf({ name, values }: ColumnSample, { description }: ValueFacts): GuessedValue | undefined {
  const guess = guessNumbers(values);
  if (guess.is === 'none') return undefined;
  const forms = guess.is === 'plain' ? [guess.form] : guess.forms;
  const inYaml = forms.map(({ decimal, thousands }) => {
    const groups =
      thousands === undefined
        ? ''
        : `, thousands: ${/[.,]/.test(thousands) ? `'${thousands}'` : quoteText(thousands)}`;
    return `{ column: ${scalar(name)}, decimal: '${decimal}'${groups} }`;
  });
  // The contract says unit and sign of money, and values cannot say that of the source.
  const money = /Unit: .*/.exec(description)?.[0];
  const seen =
    guess.is === 'ambiguous'
      ? `${quoteSample(guess.example)} can be read in each of these forms`
      : `${describeNumbers(values, guess.form)}${describeExceptions(guess.exceptions)}`;
  if (money === undefined) return { forms: inYaml, reason: seen, isOpen: guess.is === 'ambiguous' };
  const decide = `add negate: true if the sign is the other one in your system. The contract has: ${money}`;
  return { forms: inYaml, reason: `${seen}; ${decide}`, isOpen: true };
}

function describeNumbers(
  values: readonly string[],
  { decimal, thousands }: { decimal: string; thousands: string | undefined },
): string {
  if (values.every((value) => /^[+-]?\d+$/.test(value)))
    return `whole numbers only, so the character before decimals is not known`;
  return `numbers as 1${escapeUnseen(thousands ?? '')}234${decimal}56`;
}

function choiceOf({ name, values }: ColumnSample, choices: readonly string[]): GuessedValue | undefined {
  const different = [...new Set(values)];
  if (different.length > MAX_CHOICES) return undefined;
  const known = different.flatMap((value) => {
    const choice = choiceFor(value, choices);
    return choice === undefined ? [] : [[value, choice] as const];
  });
  if (known.length === 0) return undefined;
  const unknown = different.filter((value) => !known.some(([one]) => one === value));
  const isSame = known.every(([value, choice]) => value === choice);
  const table = known.map(([value, choice]) => `${scalar(value)}: ${choice}`).join(', ');
  return {
    forms: [isSame ? scalar(name) : `{ column: ${scalar(name)}, values: { ${table} } }`],
    reason:
      unknown.length > 0
        ? `not known: ${unknown.map(quoteSample).join(', ')}`
        : isSame
          ? 'its values are those of the contract'
          : 'its values are taken for the first letters of those of the contract',
    isOpen: unknown.length > 0,
  };
}

/** The choice that a value names, or is the beginning of if there is no other. */
function choiceFor(value: string, choices: readonly string[]): string | undefined {
  const letters = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  const text = letters(value);
  if (text === '') return undefined;
  const exact = choices.find((choice) => letters(choice) === text);
  const [first, ...others] = choices
    .filter((choice) => letters(choice).startsWith(text))
    .sort((one, other) => one.length - other.length);
  if (exact !== undefined || first === undefined) return exact;
  // DOMESTIC, and not DOMESTIC_VACANT.
  return others.every((other) => other.startsWith(first)) ? first : undefined;
}

const FLAGS: Readonly<Record<string, string>> = {
  y: 'true',
  yes: 'true',
  true: 'true',
  n: 'false',
  no: 'false',
  false: 'false',
};

function flagOf({ name, values }: ColumnSample): GuessedValue | undefined {
  const different = [...new Set(values)];
  const table = different.map((value) => [value, FLAGS[value.toLowerCase()]] as const);
  if (table.some(([, flag]) => flag === undefined)) return undefined;
  const flags = table.map(([value, flag]) => `${scalar(value)}: ${flag}`).join(', ');
  return {
    forms: [`{ column: ${scalar(name)}, values: { ${flags} } }`],
    reason: 'yes and no',
    isOpen: false,
  };
}

function phoneOf({ name, values }: ColumnSample): GuessedValue | undefined {
  const valid = values.filter((value) =>
    parsePhoneNumberFromString(value, { defaultCountry: REGION, extract: false })?.isValid(),
  );
  if (valid.length < values.length * MIN_SHARE) return undefined;
  const exceptions = values.filter((value) => !valid.includes(value));
  return {
    forms: [`{ column: ${scalar(name)}, phone: ${REGION} }`],
    reason: `phone numbers of ${REGION}${describeExceptions(exceptions)}`,
    isOpen: false,
  };
}

function describeExceptions(exceptions: readonly string[]): string {
  const [first] = exceptions;
  return first === undefined
    ? ''
    : `, but not ${exceptions.length} of the values, such as ${quoteSample(first)}`;
}

/** A text as a YAML scalar, also inside `{}`. */
export function scalar(text: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_./-]*(?: [\p{L}\p{N}_./-]+)*$/u.test(text);
  return isPlain ? text : quoteText(text);
}
