import { type ValidationProfile } from '../context';

/**
 * What a text must look like beyond its length, and how it is written once read.
 *
 * `read` gets the trimmed text, never blank, and the supplier's country; it returns the text as it is to be
 * stored, or undefined if it is not of the format. It must be linear in the length of the text.
 */
export interface TextFormat {
  readonly name: string;
  readonly code: string;
  /** Completes "Enter ...". */
  readonly expected: string;
  readonly example: string;
  /** Set on a rule of one profile only; under other profiles any text passes. */
  readonly profile?: ValidationProfile;
  /** Regular expression for the OpenAPI schema, where there is one for every country. */
  readonly pattern?: string;
  /** Name of a format that OpenAPI knows. */
  readonly openApiFormat?: string;
  read(text: string, region: string): string | undefined;
}

/** A format that is a regular expression and stores the text as it came. */
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
