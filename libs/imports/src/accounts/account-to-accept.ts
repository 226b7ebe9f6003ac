import type { FieldError, RequestTrail } from '@portage/platform';
import type { AccountChanges } from '../processes/account-changes';
import type {
  ExistingProcess,
  ImportedLine,
  PendingProcess,
  ProcessVersion,
  RefusedLine,
  RepeatedLine,
  UploadKey,
} from '../processes/pending-process.repository';
import type { AccountRefusal } from './account-refusal';
import type { DatabaseRules } from './database-rules';

/** A valid account that is to be stored as a pending process. */
export interface AccountToAccept {
  process: PendingProcess;
  /** What its job says beside the process. */
  job: { organisationId: number; supplier: string; submissionId?: string };
  /** The request that has sent it; undefined for a line of an upload. */
  request?: RequestTrail | undefined;
  /** Its rules that depend on stored accounts. */
  rules: DatabaseRules;
  /** What the rules have found; undefined if they are to be compared with the stored accounts. */
  breaches?: readonly FieldError[];
  /** Decides what becomes of the account if its process exists. */
  decide: (existing: ExistingProcess, process: PendingProcess) => Decision;
  /** Why the account may only repeat what is stored: its schedule window has passed. */
  refusal?: AccountRefusal | undefined;
  /**
   * Why the account is not accepted as a new one; undefined if it may be. Otherwise it is looked up before it is
   * written.
   */
  ifMissing?: AccountRefusal | undefined;
  /** True to look it up before it is written, because it probably exists. */
  isLookedUp?: boolean;
}

/** What becomes of an account whose process exists. */
export type Decision =
  /** The process has the same account already. */
  | { kind: 'repeated' }
  | { kind: 'refused'; refusal: AccountRefusal }
  /** This new version of the process is written. */
  | { kind: 'replace'; process: PendingProcess }
  /** Its account was imported with the same content. */
  | { kind: 'unchanged' }
  /** Its account was imported with other content, and is corrected. */
  | { kind: 'correct' };

/** What became of an account or a refused line. */
export type AcceptedAccount =
  | {
      kind: 'created' | 'replaced';
      version: ProcessVersion;
      process: PendingProcess;
      /** The batch whose job imports it; null if it has a job of its own. */
      batchId: string | null;
    }
  | {
      kind: 'correcting';
      version: ProcessVersion;
      process: PendingProcess;
      batchId: string | null;
      /** Undefined if they are not known, because the imported payload was erased. */
      changes: AccountChanges | undefined;
    }
  /** `existing`: the process with this content. */
  | { kind: 'repeated' | 'unchanged'; existing?: ExistingProcess }
  | { kind: 'refused'; refusal: AccountRefusal | undefined };

/** The upload that sends the accounts. Each of its lines is counted, and each refused or repeated one is stored. */
export interface AcceptingUpload {
  key: UploadKey;
  /** Builds the line of an account that is refused. */
  refuse: (account: AccountToAccept, refusal: AccountRefusal) => RefusedLine;
  /** Builds the line of an account that its process has already. */
  repeat: (account: AccountToAccept, existing: ExistingProcess) => RepeatedLine;
  /** Builds the line of an account that was imported before. */
  imported: (
    account: AccountToAccept,
    existing: ExistingProcess,
    outcome: ImportedLine['outcome'],
  ) => ImportedLine;
}
