/** A part of the schema that only a migration declares. */
export interface SchemaException {
  /** Kind and name, as `schema.int-spec.ts` reads them from the catalogue. */
  object: string;
  reason: string;
  /** The build option of the server without which it does not exist. */
  requires?: 'lz4';
}

const ANNOUNCEMENT =
  'Triggers: announces a change to all processes (portage_changes), however it was made. TypeORM declares no triggers.';
const APPEND_ONLY =
  'Triggers: refuses changes of audit entries and events, also in replica sessions. TypeORM declares no triggers.';
const EVENT_FEED =
  'The order of the feed of events, and the triggers that add to it. TypeORM declares neither functions nor triggers.';
const COUNTS =
  'Triggers: each statement reports what it changes in the counts of processes and lines. TypeORM declares no triggers.';
const DOCUMENT_ROOTS =
  'Keeps the document roots of organisations apart: folders, compared without case. TypeORM declares neither triggers nor expression indexes.';
const SHARED_VALUES =
  'Triggers: refuses values that a concurrent statement has written for another account. TypeORM declares neither functions nor triggers.';
const VENDOR_REFERENCES =
  'Triggers: refuses a verified instruction whose reference is verified for another organisation. TypeORM declares no triggers.';

/**
 * Everything in the migrated database that entities cannot declare. All else is equal to the schema that TypeORM makes
 * from the entities; a test compares both and fails for a missing entry as for one that is no longer needed.
 */
export const SCHEMA_EXCEPTIONS: readonly SchemaException[] = [
  { object: 'function announce_change', reason: ANNOUNCEMENT },
  { object: 'trigger api_key.api_key_changed', reason: ANNOUNCEMENT },
  { object: 'trigger import_supplier.import_supplier_changed', reason: ANNOUNCEMENT },
  { object: 'trigger installation.installation_changed', reason: ANNOUNCEMENT },
  { object: 'trigger reference_data.reference_data_changed', reason: ANNOUNCEMENT },
  { object: 'trigger revoked_token_family.revoked_token_family_changed', reason: ANNOUNCEMENT },
  { object: 'function refuse_change', reason: APPEND_ONLY },
  { object: 'trigger audit_entry.audit_entry_kept', reason: APPEND_ONLY },
  { object: 'trigger import_process_event.import_process_event_kept', reason: APPEND_ONLY },
  { object: 'trigger submission_event.submission_event_kept', reason: APPEND_ONLY },
  { object: 'function event_transaction_id', reason: EVENT_FEED },
  { object: 'function event_feed_horizon', reason: EVENT_FEED },
  { object: 'function record_post_import', reason: EVENT_FEED },
  { object: 'trigger document.document_follow_up_ended', reason: EVENT_FEED },
  { object: 'trigger welcome_email.welcome_email_follow_up_ended', reason: EVENT_FEED },
  { object: 'function import_process_kind', reason: COUNTS },
  { object: 'function count_import_processes', reason: COUNTS },
  { object: 'trigger import_process.import_process_added_count', reason: COUNTS },
  { object: 'trigger import_process.import_process_changed_count', reason: COUNTS },
  { object: 'trigger import_process.import_process_removed_count', reason: COUNTS },
  { object: 'function count_corrections', reason: COUNTS },
  { object: 'function count_additions', reason: COUNTS },
  { object: 'trigger submission_addition.submission_addition_added_count', reason: COUNTS },
  { object: 'trigger submission_addition.submission_addition_changed_count', reason: COUNTS },
  { object: 'trigger import_process_correction.import_process_correction_added_count', reason: COUNTS },
  { object: 'trigger import_process_correction.import_process_correction_changed_count', reason: COUNTS },
  { object: 'function count_submission_lines', reason: COUNTS },
  { object: 'trigger submission_line.submission_line_added_count', reason: COUNTS },
  { object: 'trigger submission_line.submission_line_changed_count', reason: COUNTS },
  { object: 'trigger submission_line.submission_line_removed_count', reason: COUNTS },
  { object: 'function count_follow_up', reason: COUNTS },
  { object: 'trigger import_process_event.import_process_event_follow_up_count', reason: COUNTS },
  { object: 'function refuse_document_root_overlap', reason: DOCUMENT_ROOTS },
  { object: 'trigger import_supplier.import_supplier_document_root_apart', reason: DOCUMENT_ROOTS },
  { object: 'index import_supplier.import_supplier_document_root', reason: DOCUMENT_ROOTS },
  { object: 'function refuse_exclusive_role', reason: SHARED_VALUES },
  { object: 'trigger held_role.held_role_added', reason: SHARED_VALUES },
  { object: 'function refuse_shared_debt', reason: SHARED_VALUES },
  { object: 'trigger debt.debt_added', reason: SHARED_VALUES },
  { object: 'function lock_charged_days', reason: SHARED_VALUES },
  { object: 'function refuse_charged_days', reason: SHARED_VALUES },
  { object: 'trigger charged_period.charged_period_added', reason: SHARED_VALUES },
  { object: 'function refuse_foreign_reference', reason: VENDOR_REFERENCES },
  { object: 'trigger payment_instruction.payment_instruction_added', reason: VENDOR_REFERENCES },
  { object: 'trigger payment_instruction.payment_instruction_changed', reason: VENDOR_REFERENCES },
  {
    object: 'index payment_instruction.payment_instruction_vendor_reference',
    reason: 'Expression index on the hash of vendor and reference. TypeORM indexes only columns.',
  },
  {
    object: 'index payment_instruction.payment_instruction_mandate',
    reason: 'Expression index on the hash of vendor and reference. TypeORM indexes only columns.',
  },
  {
    object: 'index document.document_place',
    reason: 'Expression index on the normalised path in lower case. TypeORM indexes only columns.',
  },
  {
    object: 'index account_request.account_request_instruction_outcome',
    reason: 'Expression index on the kind of the outcome. TypeORM indexes only columns.',
  },
  {
    object: 'index charged_period.charged_period_days',
    reason: 'Expression index on the hash of the supply point. TypeORM indexes only columns.',
  },
  {
    object: 'index supply_point.supply_point_identifier',
    reason: 'Expression index on the hash of the identifier. TypeORM indexes only columns.',
  },
  {
    object: 'function note_identity',
    reason:
      'The digest by which notes are compared, for the index note_identity. TypeORM declares no functions.',
  },
  {
    object: 'index note.note_identity',
    reason: 'Expression index on note_identity(body, document_paths). TypeORM indexes only columns.',
  },
  {
    object: 'sequence account_number_sequence',
    reason: 'Counts platform account numbers, from 0 and without a cycle. It belongs to no column.',
  },
  {
    object: 'unlogged table rate_limit',
    reason:
      'Counting waits for no disk, and a crash of the server may reset the counts. TypeORM has no option for it.',
  },
  {
    object: 'compression import_process_payload.payload',
    reason: 'lz4 compresses in a fraction of the time of the default method. TypeORM has no option for it.',
    requires: 'lz4',
  },
];
