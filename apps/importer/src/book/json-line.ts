import { isJsonObject, type JsonObject } from '../api/json';
import { type Line } from './lines';

/** A line that is a JSON object, and its text as it stands. */
export interface ObjectLine {
  kind: 'object';
  line: number;
  text: string;
  value: JsonObject;
}

/** A line that cannot be sent. */
export interface BadLine {
  kind: 'bad';
  line: number;
  detail: string;
}

/** What a line is; undefined for a blank one. Never throws: a bad line must not stop the rest. */
export function jsonLine(
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
  return { kind: 'object', line: number, text, value };
}

/** Read as the service reads it: a number counts as its decimal text, space around a text does not count. */
export function identity(object: JsonObject, field: string): string {
  const value = object[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
