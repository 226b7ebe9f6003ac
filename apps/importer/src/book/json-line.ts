import { isJsonObject, type JsonObject } from '@portage/client';
import { normalizeIdentifier } from '@portage/text';
import type { Line } from './lines';

/** A line that is a JSON object. */
export interface ObjectLine {
  kind: 'object';
  line: number;
  value: JsonObject;
}

/** A line that cannot be sent. */
export interface BadLine {
  kind: 'bad';
  line: number;
  detail: string;
}

/** Parses a line; undefined for a blank line. Never throws, so that a bad line does not stop the run. */
export function parseJsonLine(
  { number, text, problem }: Line,
  maxBytes: number,
): ObjectLine | BadLine | undefined {
  const bad = (detail: string): BadLine => ({ kind: 'bad', line: number, detail });
  if (text === undefined)
    return bad(
      problem === 'too-long' ? `The line is longer than ${maxBytes} bytes.` : 'The line is not UTF-8 text.',
    );
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return bad(`The line is not JSON: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) return bad('The line is not a JSON object.');
  return { kind: 'object', line: number, value };
}

/** Reads an identifier like the service: a number stands for its decimal text, and a text has one spelling. */
export function readIdentity(object: JsonObject, field: string): string {
  const value = object[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? normalizeIdentifier(value) : '';
}
