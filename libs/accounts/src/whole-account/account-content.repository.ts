import { Injectable } from '@nestjs/common';
import { Database, mapInSlices, type Statement } from '@portage/platform';
import { EFFECT_ON_BALANCE } from '../transactions/balance';
import {
  ADDITION_LISTS,
  ADDITION_TABLES,
  type AdditionCounts,
  type AdditionList,
  isAdded,
  isImported,
} from './additions';

/** A row of a part of an account, with the names of its columns. Amounts are decimal text. */
export type ContentRow = Record<string, unknown> & { details?: Record<string, unknown> };

/** The rows that came with an account, in the order of its payload. Rows that requests have added since are counted only. */
export interface AccountContent {
  number: string;
  externalAccountNumber: string;
  externalIdentifier: string;
  accountType: string | null;
  createdAt: string;
  billing: Record<string, unknown>;
  details: Record<string, unknown>;
  customers: ContentRow[];
  accountReferences: ContentRow[];
  debts: ContentRow[];
  supplyPoints: (ContentRow & { position: number; supply_address_position: number })[];
  agreements: (ContentRow & { supply_point_position: number })[];
  /** With the balance before any request has changed it. */
  ledgers: (ContentRow & { position: number; balance: string })[];
  transactions: (ContentRow & { ledger_position: number; period_position: number })[];
  notes: ContentRow[];
  statements: ContentRow[];
  paymentInstructions: ContentRow[];
  additions: AdditionCounts;
}

const LISTS = [
  'customers',
  'accountReferences',
  'debts',
  'supplyPoints',
  'agreements',
  'ledgers',
  'transactions',
  'notes',
  'statements',
  'paymentInstructions',
] as const satisfies readonly (keyof AccountContent)[];
type ListName = (typeof LISTS)[number];

type StoredContent = Omit<AccountContent, ListName> & Record<ListName, string>;

/** Separates the rows of a list. JSON has no such character outside of escapes. */
const SEPARATOR = '\x1e';

/** A list as JSON texts with separators: one JSON text of a long list would be parsed at once. */
const rows = (columns: string, table: string, order: string, condition = 'TRUE') => `
  (SELECT coalesce(string_agg(to_json(part)::text, E'\\x1e'), '') FROM (
    SELECT ${columns} FROM ${table} part WHERE part.account_id = account.id AND ${condition} ORDER BY ${order}) part)`;

/** Of each kind, the rows that came with the account, or those that requests have added. */
const imported = (kind: AdditionList) => isImported(ADDITION_TABLES[kind], 'part', 'account.created_at');
const countAdded = (kind: AdditionList) => `'${kind}', (SELECT count(*) FROM ${ADDITION_TABLES[kind]} part
        WHERE part.account_id = account.id AND ${isAdded(ADDITION_TABLES[kind], 'part', 'account.created_at')})`;

/** The form of a datetime in v1. */
const moment = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ${column}`;

/** What requests have added to the balance of a ledger. */
const ADDED = `(SELECT coalesce(sum(${EFFECT_ON_BALANCE}), 0)
  FROM transaction WHERE account_id = part.account_id AND ledger_position = part.position AND actor IS NOT NULL)`;

const findContent: Statement = {
  name: 'find-account-content',
  // One statement, so that it is one snapshot.
  text: `
    SELECT number, external_account_number, external_identifier, account_type, billing, details, created_at,
      ${rows('user_identifier, title, given_name, family_name, email, mobile, landline, date_of_birth, details', 'customer', 'position')} AS customers,
      ${rows('namespace, value', 'account_reference', 'position')} AS account_references,
      ${rows('cais_reference, details', 'debt', 'position')} AS debts,
      ${rows('position, supply_address_position, supply_type, identifier, supply_start_date, supply_end_date, last_billed_to_date, meters, details', 'supply_point', 'position')} AS supply_points,
      ${rows('supply_point_position, tariff_code, effective_from, effective_to, details', 'agreement', 'supply_point_position, position')} AS agreements,
      ${rows(`position, ledger_code, ledger_identifier, (balance - ${ADDED})::text AS balance, details`, 'ledger', 'position')} AS ledgers,
      ${rows('ledger_position, period_position, transaction_id, transaction_date, type, amount::text AS amount, reason, details', 'transaction', 'id', imported('transactions'))} AS transactions,
      ${rows(`body, document_paths, ${moment('created_at')}, external_id, is_pinned, ${moment('unpin_at')}, is_archived`, 'note', 'id', imported('notes'))} AS notes,
      ${rows('statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount::text AS gross_amount, statement_path', 'historical_statement', 'bill_period_from_date, statement_id', imported('historical_statements'))} AS statements,
      ${rows(`type, vendor, reference, customer_reference, instruction_identifier, nullif(ledger_code, '') AS ledger_code, details`, 'payment_instruction', 'id', imported('payment_instructions'))} AS payment_instructions,
      json_build_object(${ADDITION_LISTS.map(countAdded).join(', ')}) AS additions
    FROM account WHERE supplier_id = $1 AND external_identifier = $2 AND erased_at IS NULL`,
};

/**
 * Reads accounts as they were imported, for suppliers. A reader of its own besides {@link AccountInspectionRepository}: it
 * selects the rows of the import and sums the others, in one statement that suppliers may repeat for a whole book, with
 * lists of any length that are parsed in slices. An inspection reads all rows with their states, the long lists by pages,
 * in one query for each table, also of an erased account.
 */
@Injectable()
export class AccountContentRepository {
  constructor(private readonly database: Database) {}

  /**
   * An account, whose rows are parsed in slices: other requests are served between them, however long its lists are.
   *
   * @returns undefined if the supplier has no such account, or its personal data was erased
   */
  async find(supplierId: number, externalIdentifier: string): Promise<AccountContent | undefined> {
    const [stored] = await this.database.run<StoredContent>(findContent, [supplierId, externalIdentifier]);
    if (!stored) return undefined;
    const lists = {} as Record<ListName, ContentRow[]>;
    for (const name of LISTS) {
      const texts = stored[name] === '' ? [] : stored[name].split(SEPARATOR);
      lists[name] = await mapInSlices(texts, (text) => JSON.parse(text) as ContentRow);
    }
    return { ...stored, ...lists } as AccountContent;
  }
}
