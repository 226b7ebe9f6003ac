import { isJsonObject, type JsonObject } from '@portage/client';
import { type BadLine, parseJsonLine, readIdentity } from './json-line';
import type { Line } from './lines';

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
  /** The parsed account, without `payload` and `task_params` around it. */
  payload: JsonObject;
  /** The parsed parameters of the import; undefined if the line has none. */
  taskParams: unknown;
  /**
   * True for a line of the form `{"payload": {...}, "task_params": {...}}`, of which the account is sent. A line with other
   * members is sent as it is, so that the service refuses it.
   */
  isWrapped: boolean;
}

/** A line of the book: an account or a line that cannot be sent. */
export type BookLine = BookAccount | BadLine;

/** The members that the service and the importer know. A misspelt `task_params` must not turn a rehearsal into an import. */
const ENVELOPE: readonly string[] = ['payload', 'task_params'];

/** Parses a line of the book; undefined for a blank line. Never throws, so that a bad line does not stop the run. */
export function parseBookLine(line: Line, maxBytes: number): BookLine | undefined {
  const parsed = parseJsonLine(line, maxBytes);
  if (parsed?.kind !== 'object') return parsed;
  const { value, text } = parsed;
  const isWrapped = isJsonObject(value['payload']);
  const account = isJsonObject(value['payload']) ? value['payload'] : value;
  const externalAccountNumber = readIdentity(account, 'external_account_number');
  return {
    kind: 'account',
    line: line.number,
    supplier: readIdentity(account, 'import_supplier'),
    externalAccountNumber,
    externalIdentifier: readIdentity(account, 'external_identifier') || externalAccountNumber,
    body: text,
    payload: account,
    taskParams: isWrapped ? value['task_params'] : undefined,
    isWrapped: isWrapped && Object.keys(value).every((name) => ENVELOPE.includes(name)),
  };
}
