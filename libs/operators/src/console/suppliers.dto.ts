import type { ImportProcessStatus } from '@portage/imports';
import { type ImportSupplierStatus, ImportSupplierView, SupplierQuotasView } from '@portage/tenants';

/** A supplier with all its settings. */
export interface SupplierSettingsView extends ImportSupplierView {
  organisation: string;
  /** Settings of the account rules by name. In a change, null restores the default. */
  rule_settings: Record<string, unknown>;
  modified_at: string;
}

/** How many accounts are in each state. PENDING has those that are STAGED too. */
export type StateCountsView = Record<ImportProcessStatus | 'STAGED', number>;

/** A supplier in the overview. */
export interface SupplierSummaryView {
  code: string;
  organisation: string;
  status: ImportSupplierStatus;
  states: StateCountsView;
  /** Accounts that were processed in the last ten seconds; 0 if none was. */
  processed_per_second: number;
  /** The same over the last minute. */
  processed_per_second_of_minute: number;
  /** Accounts processed in each of the last 60 full minutes, the oldest first. */
  sparkline: number[];
  /** When the account was received that has waited longest, neither for its window nor for a request. */
  oldest_waiting_at: string | null;
  /** ERRORED and DRY_RUN_ERRORED. */
  errored: number;
  /**
   * Null while no account has come to its end for ten seconds, or none waits. Not before the last schedule window
   * opens.
   */
  estimated_end_at: string | null;
  /** The moment of all these figures. */
  counted_at: string;
}

/** What has become of the accounts of a supplier. */
export interface FunnelView {
  /** Lines of submissions without an account, because they were refused. They are not among `received`. */
  refused_lines: number;
  /** All accounts. */
  received: number;
  /** Accounts that have not ended with an error. */
  valid: number;
  /** Accounts whose dry run has succeeded, or that were created after one. */
  dry_run_succeeded: number;
  /** PROCESSED. */
  created: number;
  /** Created accounts that have documents or an e-mail, all of which are settled. */
  followed_up: number;
  errored: number;
  cancelled: number;
}

/** An account that ended with an error. */
export interface FailedAccountExample {
  process_id: string;
  external_account_number: string;
}

/** An error code, how often accounts ended with it, and how often lines were refused with it. */
export interface TopErrorView {
  code: string;
  /** Accounts that ended with it. */
  count: number;
  /** Refused lines of which it is the first error. */
  refused_lines: number;
  /** Of all accounts with an error and refused lines, from 0 to 1. */
  share: number;
  example: FailedAccountExample | null;
}

/** A supplier with its counts. */
export interface SupplierDetailView {
  settings: SupplierSettingsView;
  summary: SupplierSummaryView;
  funnel: FunnelView;
  /** At most 10, the most frequent first. */
  top_errors: TopErrorView[];
  /** Mean time from the acceptance of an account to its creation, over the last hour. */
  latency_ms: number | null;
  quotas: SupplierQuotasView;
}
