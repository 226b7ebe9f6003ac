import { type AuditAction } from '@portage/platform';

/** An entry of the audit. */
export interface AuditEntryView {
  occurred_at: string;
  actor: string;
  action: AuditAction;
  import_supplier: string | null;
  subject: string | null;
  details: Record<string, unknown>;
}
