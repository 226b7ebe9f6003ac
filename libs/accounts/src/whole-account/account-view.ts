import { type ByColumn, byColumn } from '@portage/platform';
import type { WholeAccount } from './account-inspection.repository';

/** Returns the rows that belong to the ledger. */
function rowsOf<Row extends { ledgerPosition: number }>(ledger: { position: number }, rows: Row[]): Row[] {
  return rows.filter((row) => row.ledgerPosition === ledger.position);
}

/** A part of an account by the names of its columns. Its other fields are in `details`. */
function viewOf<Row extends { details: Record<string, unknown> }, Omitted extends keyof Row & string>(
  row: Row,
  ...omitted: readonly Omitted[]
): ByColumn<Omit<Row, Omitted | 'details'>> & Record<string, unknown> {
  return { ...byColumn<Row, Omitted | 'details'>(row, 'details', ...omitted), ...row.details };
}

/**
 * A stored account with the field names of the contract, as `account show --json` and the operator API show it. `totals`
 * counts the rows of the lists of which a page is shown.
 */
export function toAccountView(whole: WholeAccount) {
  const { account, supplier, payload } = whole;
  return {
    platform_account_number: account.number,
    import_supplier: supplier.code,
    external_account_number: account.externalAccountNumber,
    external_identifier: account.externalIdentifier,
    account_type: account.accountType,
    created_at: account.createdAt,
    payload_received_at: payload?.receivedAt ?? null,
    payload_erased_at: account.payloadErasedAt,
    erased_at: account.erasedAt,
    ...account.billing,
    ...account.details,
    page: whole.page,
    totals: whole.totals,
    customers: whole.customers.map((customer) => viewOf(customer, 'accountId', 'position')),
    references: whole.references.map(({ namespace, value }) => ({ namespace, value })),
    supply_points: whole.supplyPoints.map((point) => ({
      ...viewOf(point, 'accountId', 'position', 'supplyAddressPosition'),
      supply_address: point.supplyAddressPosition,
      agreements: whole.agreements
        .filter(({ supplyPointPosition }) => supplyPointPosition === point.position)
        .map((agreement) => viewOf(agreement, 'accountId', 'supplyPointPosition', 'position')),
    })),
    ledgers: whole.ledgers.map((ledger) => ({
      ...viewOf(ledger, 'accountId', 'position'),
      statement_periods: rowsOf(ledger, whole.statementPeriods).map((period) => ({
        ...byColumn(period, 'accountId', 'ledgerPosition', 'position'),
        is_open: period.closedAt === null,
        transactions: rowsOf(ledger, whole.transactions)
          .filter(({ periodPosition }) => periodPosition === period.position)
          .map((transaction) => ({
            ...viewOf(
              transaction,
              'id',
              'accountId',
              'ledgerPosition',
              'periodPosition',
              'actor',
              'createdAt',
            ),
            posted_by: transaction.actor,
          })),
      })),
    })),
    debts: whole.debts.map((debt) => viewOf(debt, 'accountId', 'position', 'organisationId')),
    payment_instructions: whole.paymentInstructions.map((instruction) => ({
      ...viewOf(instruction, 'id', 'accountId', 'actor', 'createdAt'),
      posted_by: instruction.actor,
    })),
    notes: whole.notes.map((note) => ({
      ...byColumn(note, 'id', 'accountId', 'actor'),
      posted_by: note.actor,
    })),
    historical_statements: whole.historicalStatements.map((statement) => ({
      ...byColumn(statement, 'accountId', 'actor', 'createdAt'),
      posted_by: statement.actor,
    })),
    documents: whole.documents.map((document) => ({
      ...byColumn(document, 'id', 'accountId', 'enqueuedAt', 'createdAt', 'unsettledSupplierId'),
      size: document.size === null ? null : Number(document.size),
      sha256: document.sha256?.toString('hex') ?? null,
    })),
    welcome_email: whole.welcomeEmail && {
      recipient: whole.welcomeEmail.recipient,
      subject: whole.welcomeEmail.subject,
      state: whole.welcomeEmail.state,
      error_code: whole.welcomeEmail.errorCode,
      sent_at: whole.welcomeEmail.sentAt,
    },
  };
}

/** A stored account with the field names of the contract. */
export type AccountView = ReturnType<typeof toAccountView>;
