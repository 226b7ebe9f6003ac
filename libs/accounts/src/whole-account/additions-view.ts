import { toOffsetMicroseconds } from '@portage/platform';
import type { AddedRows } from './account-additions.repository';
import type { AdditionView } from './additions.dto';

/**
 * Shows rows that were added to an account.
 *
 * @param timeZone of their times
 */
export function toAdditionViews(added: AddedRows, timeZone: string): AdditionView[] {
  const at = (stored: string) => toOffsetMicroseconds(stored, timeZone);
  switch (added.kind) {
    case 'notes':
      return added.rows.map((note) => ({
        body: note.body,
        created_at: at(note.createdAt),
        external_id: note.externalId,
        is_pinned: note.isPinned,
        unpin_at: note.unpinAt && at(note.unpinAt),
        is_archived: note.isArchived,
        document_paths: note.documentPaths,
      }));
    case 'transactions':
      return added.rows.map(({ statementPeriod: period, ...transaction }) => ({
        transaction_id: transaction.transactionId,
        type: transaction.type,
        amount: transaction.amount,
        transaction_date: transaction.transactionDate,
        original_date: transaction.originalDate,
        statement_period: { from: period.startDate, to: period.endDate },
        ledger_code: period.ledger.ledgerCode,
        reason: transaction.reason,
        details: transaction.details,
      }));
    case 'historical_statements': {
      const documents = new Map(added.documents.map((document) => [document.path, document]));
      return added.rows.map((statement) => {
        const document = documents.get(statement.statementPath ?? '');
        return {
          statement_id: statement.statementId,
          bill_period_from_date: statement.billPeriodFromDate,
          bill_period_to_date: statement.billPeriodToDate,
          issued_date: statement.issuedDate,
          number: statement.number,
          gross_amount: statement.grossAmount,
          statement_path: statement.statementPath,
          document: document ? { state: document.state, error_code: document.errorCode } : null,
        };
      });
    }
    case 'payment_instructions':
      return added.rows.map((instruction) => ({
        type: instruction.type,
        vendor: instruction.vendor,
        reference: instruction.reference,
        ledger_code: instruction.ledgerCode || null,
        is_active: instruction.isActive,
        verified_at: instruction.verifiedAt && at(instruction.verifiedAt),
      }));
  }
}

/** The cursor after rows: the id of the last one. */
export function cursorAfter(added: AddedRows): string | undefined {
  return added.kind === 'historical_statements' ? added.rows.at(-1)?.statementId : added.rows.at(-1)?.id;
}
