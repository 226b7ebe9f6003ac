import { isJsonObject } from '../api/json';
import { type BadLine, identity, jsonLine } from './json-line';
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

export type BookLine = BookAccount | BadLine;

/** What a line of the book is; undefined for a blank one. Never throws: a bad line must not stop the rest. */
export function parseBookLine(line: Line, maxBytes: number): BookLine | undefined {
  const parsed = jsonLine(line, maxBytes);
  if (parsed?.kind !== 'object') return parsed;
  const { value, text } = parsed;
  const account = isJsonObject(value['payload']) ? value['payload'] : value;
  const externalAccountNumber = identity(account, 'external_account_number');
  return {
    kind: 'account',
    line: line.number,
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
