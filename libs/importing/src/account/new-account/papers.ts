import type { Account } from '@portage/account-schema';
import type { AccountRows } from '@portage/database';
import { storedPath } from '../../documents/document-paths';
import { without } from './without';

/** Fields of a note that say when it was written are whole seconds, as responses carry them. */
export function noteRows({ notes }: Account, now: Date): AccountRows['note'] {
  const writtenNow = new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString();
  return (notes ?? []).map((note) => ({
    body: note.body,
    created_at: note.created_at ?? writtenNow,
    external_id: note.external_id,
    is_pinned: note.is_pinned ?? false,
    unpin_at: note.unpin_at,
    is_archived: note.is_archived ?? false,
    document_paths: (note.document_paths ?? []).map(({ document_path }) => storedPath(document_path)),
  }));
}

export function statementRows({ statements }: Account): AccountRows['historical_statement'] {
  return (statements ?? []).map((statement) => ({
    statement_id: statement.statement_id,
    bill_period_from_date: statement.bill_period_from_date,
    bill_period_to_date: statement.bill_period_to_date,
    issued_date: statement.issued_date,
    number: statement.number,
    gross_amount: statement.gross_amount,
    statement_path: statement.statement_path === undefined ? null : storedPath(statement.statement_path),
  }));
}

/** Each file that notes and statements point at, once, for a job to look at. */
export function documentRows({ notes, statements }: Account): AccountRows['document'] {
  const ofNotes = (notes ?? []).flatMap((note) =>
    (note.document_paths ?? []).map((document) => storedPath(document.document_path)),
  );
  const ofStatements = (statements ?? []).flatMap(({ statement_path: path }) =>
    path ? [storedPath(path)] : [],
  );
  return [
    ...[...new Set(ofStatements)].map((path) => ({ path, kind: 'statement' })),
    ...[...new Set(ofNotes)].map((path) => ({ path, kind: 'note' })),
  ];
}

const INSTRUCTION_COLUMNS: ReadonlySet<string> = new Set([
  'type',
  'vendor',
  'reference',
  'customer_reference',
  'instruction_identifier',
  'ledger_code',
]);

/** Of several mandates of a type for the same ledger the first is the one in force. */
export function instructionRows({ payment_instructions }: Account): AccountRows['payment_instruction'] {
  const inForce = new Set<string>();
  return (payment_instructions ?? []).map((instruction) => {
    const ledgerCode = instruction.ledger_code ?? '';
    const place = JSON.stringify([instruction.type, ledgerCode]);
    const isActive = !inForce.has(place);
    inForce.add(place);
    return {
      type: instruction.type,
      vendor: instruction.vendor,
      reference: instruction.reference,
      customer_reference: instruction.customer_reference,
      instruction_identifier: instruction.instruction_identifier,
      ledger_code: ledgerCode,
      is_active: isActive,
      details: without(instruction, INSTRUCTION_COLUMNS),
    };
  });
}
