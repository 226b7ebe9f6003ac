/** The longest value that is printed. */
const MAX_VALUE_LENGTH = 60;

/** A value in quotes, cut if it is long. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value);
}
