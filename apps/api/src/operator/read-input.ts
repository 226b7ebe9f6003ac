import { type FieldError, isPossibleIdentifier, PortageError } from '@portage/domain';
import type { PageRequest } from '@portage/importing';
import { requireBody } from '../http/json-body';

type Input = Record<string, unknown>;

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Reads the members of a query or a body, and collects an error for each that is not valid. */
export class InputReader {
  private readonly errors: FieldError[] = [];

  constructor(
    private readonly input: Input,
    private readonly summary: string,
    private readonly prefix = '',
  ) {}

  /** A text of 1 to `max` characters; undefined if it is missing or, unless required, null. */
  text(name: string, { max = 256, isRequired = false } = {}): string | undefined {
    const value = this.input[name] ?? undefined;
    if (value === undefined && !isRequired) return undefined;
    if (typeof value === 'string' && value !== '' && value.length <= max && !value.includes('\0'))
      return value;
    this.refuse(
      name,
      value === undefined ? 'required' : 'invalid',
      `Enter a text of 1 to ${max} characters.`,
    );
    return undefined;
  }

  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    { isRequired = false } = {},
  ): Choice | undefined {
    const value = this.input[name] ?? undefined;
    if (value === undefined && !isRequired) return undefined;
    const choice = choices.find((known) => known === value);
    if (choice === undefined) this.refuse(name, 'invalid_choice', `Enter one of ${choices.join(', ')}.`);
    return choice;
  }

  integer(name: string, min: number, max: number): number | undefined {
    const value = this.input[name] ?? undefined;
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max)
      return number;
    this.refuse(name, 'invalid', `Enter a whole number from ${min} to ${max}.`);
    return undefined;
  }

  boolean(name: string): boolean | undefined {
    const value = this.input[name] ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    this.refuse(name, 'invalid', 'Enter true or false.');
    return undefined;
  }

  moment(name: string): Date | undefined {
    const value = this.input[name] ?? undefined;
    if (value === undefined) return undefined;
    const date = typeof value === 'string' && MOMENT.test(value) ? new Date(value) : undefined;
    if (date && !Number.isNaN(date.getTime())) return date;
    this.refuse(name, 'invalid', 'Enter a moment such as 2026-11-21T08:30:00Z.');
    return undefined;
  }

  /** The id of a row. */
  id(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || /^[1-9]\d{0,17}$/.test(value)) return value;
    this.refuse(name, 'invalid', 'Enter an id.');
    return undefined;
  }

  texts(name: string, maxCount: number): string[] | undefined {
    const value = this.input[name] ?? undefined;
    if (value === undefined) return undefined;
    const isValid =
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= maxCount &&
      value.every((text) => typeof text === 'string' && isPossibleIdentifier(text));
    if (isValid) return value as string[];
    this.refuse(name, 'invalid', `Enter 1 to ${maxCount} account numbers.`);
    return undefined;
  }

  page(): PageRequest {
    return {
      limit: this.integer('limit', 1, MAX_LIMIT) ?? DEFAULT_LIMIT,
      cursor: this.text('cursor', { max: 2_048 }),
    };
  }

  /** Refuses members that are not among `names`. */
  only(...names: readonly string[]): void {
    for (const name of Object.keys(this.input))
      if (!names.includes(name))
        this.refuse(name, 'unknown_field', 'This field is not part of the contract.');
  }

  refuse(name: string, code: string, detail: string): void {
    this.errors.push({ attr: `${this.prefix}${name}`, code, detail });
  }

  /** @throws PortageError `validation_error` with all errors */
  finish(): void {
    if (this.errors.length > 0)
      throw new PortageError('validation_error', this.summary, { errors: this.errors });
  }
}

/**
 * The members of an object as `name=value`, the form in which the command line has settings. Null is `name=`.
 *
 * @param name the member of the body that has the object, for errors
 */
export function readNamedValues(reader: InputReader, name: string, value: unknown): string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(isObject ? (value as Input) : {});
  const isValid = entries.every(
    ([, one]) => one === null || ['string', 'number', 'boolean'].includes(typeof one),
  );
  if (!isObject || !isValid)
    reader.refuse(name, 'invalid', 'Enter an object of texts, numbers, true, false and null.');
  return entries.map(
    ([setting, one]) => `${setting}=${one === null ? '' : String(one as string | number | boolean)}`,
  );
}

/** @throws PortageError `confirmation_required` unless an operator has typed what an action is about */
export function requireTyped(typed: string | undefined, expected: string, subject: string): void {
  if (typed !== expected)
    throw new PortageError('confirmation_required', `Type ${subject} to confirm: ${expected}`);
}

/** Reads a query with `read`. @throws PortageError `validation_error` */
export function readQuery<Result>(query: Input, read: (reader: InputReader) => Result): Result {
  const reader = new InputReader(query, 'A query parameter is not valid.');
  const result = read(reader);
  reader.finish();
  return result;
}

/** Reads a body with `read`. @throws PortageError `validation_error`, `parse_error` without a body */
export function readBody<Result>(
  body: Input | undefined,
  read: (reader: InputReader, body: Input) => Result,
): Result {
  const members = requireBody(body);
  const reader = new InputReader(members, 'The request is not valid.');
  const result = read(reader, members);
  reader.finish();
  return result;
}
