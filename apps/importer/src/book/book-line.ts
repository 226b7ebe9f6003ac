import { isJsonObject } from '../api/json';
import { type BadLine, readIdentity, parseJsonLine } from './json-line';
import { type Line } from './lines';

/** An account of the book. */
export interface BookAccount {
  kind: 'account';
  line: number;
  supplier: string;
  externalAccountNumber: string;
  /** Identifier of the account at the v2 status endpoint. */
  externalIdentifier: string;
  /** The unchanged text of the line: parsing and serialising it would alter numbers that JavaScript cannot represent. */
  body: string;
}

/** A line of the book: an account or a line that cannot be sent. */
export type BookLine = BookAccount | BadLine;

/** Parses a line of the book; undefined for a blank line. Never throws, so that a bad line does not stop the run. */
export function parseBookLine(line: Line, maxBytes: number): BookLine | undefined {
  const parsed = parseJsonLine(line, maxBytes);
  if (parsed?.kind !== 'object') return parsed;
  const { value, text } = parsed;
  const account = isJsonObject(value['payload']) ? value['payload'] : value;
  const externalAccountNumber = readIdentity(account, 'external_account_number');
  return {
    kind: 'account',
    line: line.number,
    supplier: readIdentity(account, 'import_supplier'),
    externalAccountNumber,
    externalIdentifier: readIdentity(account, 'external_identifier') || externalAccountNumber,
    body: text,
  };
}

/** The body for the validate endpoint, which accepts no task parameters. */
export function toValidationBody({ body }: BookAccount): string {
  const value: unknown = JSON.parse(body);
  if (!isJsonObject(value) || !isJsonObject(value['payload'])) return body;
  return JSON.stringify({ payload: value['payload'] });
}
