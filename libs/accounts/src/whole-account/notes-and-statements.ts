import type { Account } from '@portage/account-schema';
import type { AccountRows } from './account-rows';
import { storedPath } from '../documents/document-paths';
import { omitFields } from '../account/omit-fields';

/** Builds the rows of notes. The time of writing is in whole seconds, as in responses. */
export function noteRows({ notes }: Account, now: Date): AccountRows['note'] {
  const currentSecond = new Date(Math.floor(now.getTime() / 1_000) * 1_000).toISOString();
  return (notes ?? []).map((note) => ({
    body: note.body,
    createdAt: note.created_at ?? currentSecond,
    externalId: note.external_id,
    isPinned: note.is_pinned ?? false,
    unpinAt: note.unpin_at,
    isArchived: note.is_archived ?? false,
    documentPaths: (note.document_paths ?? []).map(({ document_path }) => storedPath(document_path)),
  }));
}

/** Builds the rows of historical statements. */
export function statementRows({ statements }: Account): AccountRows['historical_statement'] {
  return (statements ?? []).map((statement) => ({
    statementId: statement.statement_id,
    billPeriodFromDate: statement.bill_period_from_date,
    billPeriodToDate: statement.bill_period_to_date,
    issuedDate: statement.issued_date,
    number: statement.number,
    grossAmount: statement.gross_amount,
    statementPath: statement.statement_path === undefined ? null : storedPath(statement.statement_path),
  }));
}

/** Builds a row for each file that notes and statements refer to, for a job to inspect. */
export function documentRows({ notes, statements }: Account): AccountRows['document'] {
  const ofNotes = (notes ?? []).flatMap((note) =>
    (note.document_paths ?? []).map((document) => storedPath(document.document_path)),
  );
  const ofStatements = (statements ?? []).flatMap(({ statement_path: path }) =>
    path ? [storedPath(path)] : [],
  );
  return [
    ...[...new Set(ofStatements)].map((path) => ({ path, kind: 'statement' as const })),
    ...[...new Set(ofNotes)].map((path) => ({ path, kind: 'note' as const })),
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

/** Builds the rows of payment instructions. The first one of a type and ledger is active. */
export function instructionRows({ payment_instructions }: Account): AccountRows['payment_instruction'] {
  const activeSlots = new Set<string>();
  return (payment_instructions ?? []).map((instruction) => {
    const ledgerCode = instruction.ledger_code ?? '';
    const slot = JSON.stringify([instruction.type, ledgerCode]);
    const isActive = !activeSlots.has(slot);
    activeSlots.add(slot);
    return {
      type: instruction.type,
      vendor: instruction.vendor,
      reference: instruction.reference,
      customerReference: instruction.customer_reference,
      instructionIdentifier: instruction.instruction_identifier,
      ledgerCode,
      isActive,
      details: omitFields(instruction, INSTRUCTION_COLUMNS),
    };
  });
}
