/**
 * Reads a value that has a form of its own, such as a parameter of a URL, which is text. `detail` and `code` are those of
 * the error for a value that is not valid.
 */
export interface ValueParser {
  readonly code: string;
  readonly detail: string | ((value: unknown) => string);
  /** The code of the error for a required value that is missing, with the same detail. By default that of all fields. */
  readonly missingCode?: string;
  /** The value in the form that the program uses; undefined if it is not valid. */
  readonly parse: (value: unknown) => unknown;
}
