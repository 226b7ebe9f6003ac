import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@portage/client';
import { type BadLine, parseJsonLine, readIdentity } from '../book/json-line';
import type { Line } from '../book/lines';
import { extractMemberText } from './member-text';

/**
 * The endpoints that add data to imported accounts, by their names in the path (contract, "Add notes" to
 * "Create a payment instruction").
 */
export const ENDPOINTS = ['notes', 'transactions', 'historical-statements', 'payment-instruction'] as const;
/** The name of an endpoint. */
export type Endpoint = (typeof ENDPOINTS)[number];

/** A request about an imported account. */
export interface AfterImportRequest {
  kind: 'request';
  line: number;
  endpoint: Endpoint;
  externalAccountNumber: string;
  /** Key of the account; requests with the same key are sent one after the other. */
  account: string;
  /** Query of the URL, including the question mark; empty if there is none. */
  query: string;
  /** The unchanged text of the body. */
  body: string;
  /** Number of notes, transactions or statements in the request; 1 for a payment instruction. */
  items: number;
  /** Derived from the line alone, so that the same line has the same key in every run. */
  idempotencyKey: string;
}

/** A line of the after-import file: a request or a line that cannot be sent. */
export type AfterImportLine = AfterImportRequest | BadLine;

/**
 * Parses a line of the after-import file: `{"endpoint": ..., "query": {...}, "body": {...}}`, where `query` is
 * optional. Undefined for a blank line. Never throws, so that a bad line does not stop the run.
 */
export function parseRequestLine(line: Line, maxBytes: number): AfterImportLine | undefined {
  const parsed = parseJsonLine(line, maxBytes);
  if (parsed?.kind !== 'object') return parsed;
  const { text, value } = parsed;
  const bad = (detail: string): BadLine => ({ kind: 'bad', line: line.number, detail });

  const unknown = Object.keys(value).find((name) => !['endpoint', 'query', 'body'].includes(name));
  if (unknown !== undefined)
    return bad(`A line has endpoint, query and body, but no ${JSON.stringify(unknown)}.`);
  const endpoint = ENDPOINTS.find((name) => name === value['endpoint']);
  if (endpoint === undefined) return bad(`The endpoint must be one of ${ENDPOINTS.join(', ')}.`);
  const query = parseQuery(value['query']);
  if (query === undefined) return bad('The query must be an object of texts, numbers and booleans.');
  const body = value['body'];
  if (!isJsonObject(body)) return bad('The body must be a JSON object.');

  const externalAccountNumber =
    readIdentity(body, 'external_account_number') || readIdentity(body, 'account_number');
  return {
    kind: 'request',
    line: line.number,
    endpoint,
    externalAccountNumber,
    account: JSON.stringify([readIdentity(body, 'import_supplier'), externalAccountNumber]),
    query,
    body: extractMemberText(text, 'body') ?? '',
    items: countItems(endpoint, body),
    idempotencyKey: createHash('sha256').update(text.trim()).digest('hex'),
  };
}

function parseQuery(given: unknown): string | undefined {
  if (given === undefined) return '';
  if (!isJsonObject(given)) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    parameters.append(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

const LIST_FIELDS = {
  notes: 'notes',
  transactions: 'transactions',
  'historical-statements': 'statements',
} as const;

function countItems(endpoint: Endpoint, body: JsonObject): number {
  if (endpoint === 'payment-instruction') return 1;
  const list = body[LIST_FIELDS[endpoint]];
  return Array.isArray(list) ? list.length : 0;
}
