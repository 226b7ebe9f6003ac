import type { ValidationProfile } from '../context';

/**
 * The format of a text and its canonical form.
 *
 * `read` receives the trimmed text, which is never blank, and the supplier's country. It returns the text to
 * store, or undefined if the text does not have the format. It must be linear in the length of the text.
 */
export interface TextFormat {
  readonly name: string;
  readonly code: string;
  /** Completes "Enter ...". */
  readonly expected: string;
  readonly example: string;
  /** The only profile that checks the format; other profiles accept any text. */
  readonly profile?: ValidationProfile;
  /** Regular expression for the OpenAPI schema, if the same one applies to every country. */
  readonly pattern?: string;
  /** Name of the format in OpenAPI. */
  readonly openApiFormat?: string;
  read(text: string, region: string): string | undefined;
}

/** A format defined by a regular expression; stores the trimmed text unchanged. */
export function patternFormat(format: {
  name: string;
  code: string;
  expected: string;
  example: string;
  pattern: RegExp;
  profile?: ValidationProfile;
}): TextFormat {
  const { pattern, ...rest } = format;
  return { ...rest, pattern: pattern.source, read: (text) => (pattern.test(text) ? text : undefined) };
}
