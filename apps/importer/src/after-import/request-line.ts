import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../api/json';
import { type BadLine, identity, jsonLine } from '../book/json-line';
import { type Line } from '../book/lines';
import { memberText } from './member-text';

/** What can be added to an imported account, by the endpoint's name in its path (contract 4.2 to 4.5). */
export const ENDPOINTS = ['notes', 'transactions', 'historical-statements', 'payment-instruction'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** A request about an imported account, ready to be sent. */
export interface AfterImportRequest {
  kind: 'request';
  line: number;
  endpoint: Endpoint;
  externalAccountNumber: string;
  /** The same for requests about the same account, which are sent one after the other. */
  account: string;
  /** Of the URL, with its question mark; empty when there is none. */
  query: string;
  /** As it stands in the line. */
  body: string;
  /** How many notes, transactions or statements it is to add; of payment instructions one. */
  items: number;
  /** Follows from the line alone, so that the same line is the same request whenever it is sent. */
  idempotencyKey: string;
}

export type AfterImportLine = AfterImportRequest | BadLine;

/**
 * What a line of the after-import file is: `{"endpoint": ..., "query": {...}, "body": {...}}`, `query` optional.
 * Undefined for a blank one. Never throws: a bad line must not stop the rest.
 */
export function parseRequestLine(line: Line, maxBytes: number): AfterImportLine | undefined {
  const parsed = jsonLine(line, maxBytes);
  if (parsed?.kind !== 'object') return parsed;
  const { text, value } = parsed;
  const bad = (detail: string): BadLine => ({ kind: 'bad', line: line.number, detail });

  const unknown = Object.keys(value).find((name) => !['endpoint', 'query', 'body'].includes(name));
  if (unknown !== undefined)
    return bad(`A line has endpoint, query and body, and no ${JSON.stringify(unknown)}.`);
  const endpoint = ENDPOINTS.find((name) => name === value['endpoint']);
  if (endpoint === undefined) return bad(`The endpoint is one of ${ENDPOINTS.join(', ')}.`);
  const query = queryOf(value['query']);
  if (query === undefined) return bad('The query is an object of texts, numbers and booleans.');
  const body = value['body'];
  if (!isJsonObject(body)) return bad('The body is a JSON object.');

  const externalAccountNumber = identity(body, 'external_account_number') || identity(body, 'account_number');
  return {
    kind: 'request',
    line: line.number,
    endpoint,
    externalAccountNumber,
    account: JSON.stringify([identity(body, 'import_supplier'), externalAccountNumber]),
    query,
    body: memberText(text, 'body') ?? '',
    items: itemsIn(endpoint, body),
    idempotencyKey: createHash('sha256').update(text.trim()).digest('hex'),
  };
}

function queryOf(given: unknown): string | undefined {
  if (given === undefined) return '';
  if (!isJsonObject(given)) return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    parameters.append(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

const LISTS = {
  notes: 'notes',
  transactions: 'transactions',
  'historical-statements': 'statements',
} as const;

function itemsIn(endpoint: Endpoint, body: JsonObject): number {
  if (endpoint === 'payment-instruction') return 1;
  const list = body[LISTS[endpoint]];
  return Array.isArray(list) ? list.length : 0;
}
