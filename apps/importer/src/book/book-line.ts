import { isJsonObject, type JsonObject } from '@portage/client';
import { type BadLine, type ObjectLine, parseJsonLine, readIdentity } from './json-line';
import type { Line } from './lines';

/** What the lines of a book have: accounts, or additions to imported accounts. */
export const BOOK_KINDS = ['accounts', 'additions'] as const;
export type BookKind = (typeof BOOK_KINDS)[number];

export const ADDITION_KINDS = [
  'notes',
  'transactions',
  'historical_statements',
  'payment_instruction',
] as const;
/** The member of a line of additions that has the body of the request. */
export type AdditionKind = (typeof ADDITION_KINDS)[number];

/** An account of the book, or an addition to one. */
export interface BookItem {
  kind: 'item';
  line: number;
  /** The kind of an addition; undefined for an account, and for a line that has no kind or several. */
  addition: AdditionKind | undefined;
  /** True if the line belongs to a book of the other kind. */
  isOfOtherKind: boolean;
  supplier: string;
  externalAccountNumber: string;
  /** The parsed account, without `payload` and `task_params` around it; of an addition the parsed line. */
  payload: JsonObject;
  /** The parsed parameters of the import; undefined if the line has none. */
  taskParams: unknown;
  /**
   * True for a line of the form `{"payload": {...}, "task_params": {...}}`, of which the account is sent. A line with other
   * members is sent as it is, so that the service refuses it.
   */
  isWrapped: boolean;
}

/** A line of the book: an account, an addition, or a line that cannot be sent. */
export type BookLine = BookItem | BadLine;

/**
 * The members that the service and the importer know. A misspelt `task_params` must not turn a rehearsal into an
 * import.
 */
const ENVELOPE: readonly string[] = ['payload', 'task_params'];

/** Parses lines of a book: undefined for a blank line. Never throws, so that a bad line does not stop the run. */
export function parserOf(kind: BookKind): (line: Line, maxBytes: number) => BookLine | undefined {
  const read = kind === 'accounts' ? readAccount : readAddition;
  return (line, maxBytes) => {
    const parsed = parseJsonLine(line, maxBytes);
    return parsed?.kind === 'object' ? read(parsed) : parsed;
  };
}

function readAccount({ line, value }: ObjectLine): BookItem {
  const isWrapped = isJsonObject(value['payload']);
  const account = isJsonObject(value['payload']) ? value['payload'] : value;
  const externalAccountNumber = readIdentity(account, 'external_account_number');
  return {
    kind: 'item',
    line,
    addition: undefined,
    isOfOtherKind: externalAccountNumber === '' && additionOf(value) !== undefined,
    supplier: readIdentity(account, 'import_supplier'),
    externalAccountNumber,
    payload: account,
    taskParams: isWrapped ? value['task_params'] : undefined,
    isWrapped: isWrapped && Object.keys(value).every((name) => ENVELOPE.includes(name)),
  };
}

function readAddition({ line, value }: ObjectLine): BookItem {
  const addition = additionOf(value);
  const body = addition === undefined ? {} : (value[addition] as JsonObject);
  const externalAccountNumber =
    readIdentity(body, 'external_account_number') || readIdentity(body, 'account_number');
  const isAccount = 'external_account_number' in value || isJsonObject(value['payload']);
  return {
    kind: 'item',
    line,
    addition,
    isOfOtherKind: addition === undefined && isAccount,
    supplier: readIdentity(body, 'import_supplier'),
    externalAccountNumber,
    payload: value,
    taskParams: undefined,
    isWrapped: false,
  };
}

function additionOf(value: JsonObject): AdditionKind | undefined {
  const kinds = ADDITION_KINDS.filter((kind) => isJsonObject(value[kind]));
  return kinds.length === 1 ? kinds[0] : undefined;
}
