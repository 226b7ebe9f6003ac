import { isJsonObject, type JsonObject } from '../api/json';
import { type Line } from './lines';

/** An account of the book, ready to be sent. */
export interface BookAccount {
  kind: 'account';
  line: number;
  supplier: string;
  externalAccountNumber: string;
  /** What the v2 status endpoint knows the account by. */
  externalIdentifier: string;
  /** The line as it stands: parsing and writing it again would alter numbers that JavaScript cannot hold. */
  body: string;
}

/** A line that cannot be sent. */
export interface BadLine {
  kind: 'bad';
  line: number;
  detail: string;
}

export type BookLine = BookAccount | BadLine;

/** What a line of the book is; undefined for a blank one. Never throws: a bad line must not stop the rest. */
export function parseBookLine({ number, text, problem }: Line, maxBytes: number): BookLine | undefined {
  if (text === undefined) {
    const detail =
      problem === 'too-long' ? `The line is longer than ${maxBytes} bytes.` : 'The line is not UTF-8 text.';
    return { kind: 'bad', line: number, detail };
  }
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'bad', line: number, detail: `The line is not JSON: ${(error as Error).message}` };
  }
  if (!isJsonObject(value)) return { kind: 'bad', line: number, detail: 'The line is not a JSON object.' };

  const account = isJsonObject(value['payload']) ? value['payload'] : value;
  const externalAccountNumber = identity(account, 'external_account_number');
  return {
    kind: 'account',
    line: number,
    supplier: identity(account, 'import_supplier'),
    externalAccountNumber,
    externalIdentifier: identity(account, 'external_identifier') || externalAccountNumber,
    body: text,
  };
}

/** The body for the validate endpoint, which takes no task parameters. */
export function validationBody({ body }: BookAccount): string {
  const value: unknown = JSON.parse(body);
  if (!isJsonObject(value) || !isJsonObject(value['payload'])) return body;
  return JSON.stringify({ payload: value['payload'] });
}

/** Read as the service reads it: a number counts as its decimal text, space around a text does not count. */
function identity(account: JsonObject, field: string): string {
  const value = account[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}
