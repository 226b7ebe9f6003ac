import { ERROR_CODES, toOffsetMicroseconds } from '@portage/platform';
import { buildCounts, type SubmissionCountsView, toSubmissionCounts } from '@portage/submissions';
import type { StoredEvent } from './event-feed.repository';
import { type EventType, eventTypeOf } from './event-type';

/** The submission that has sent an account. */
export interface EventSubmission {
  id: string;
  reference: string;
}

/** Why an import, a dry run or a follow-up has failed. */
export interface EventError {
  code: string;
  detail: string;
  domain: 'import_process' | 'post_import';
}

/** What an event about an account says. Nothing else of the account is in it. */
export interface AccountEventData {
  import_supplier: string;
  external_account_number: string;
  /** Null once the data of the account was erased, unless it is the account number. */
  external_identifier: string | null;
  platform_account_number: string | null;
  submission: EventSubmission | null;
  error: EventError | null;
}

/** What an event about a submission says. */
export interface SubmissionEventData {
  import_supplier: string;
  submission: EventSubmission;
  counts: SubmissionCountsView;
  reconciled: boolean;
}

/** One event, in the feed as in a webhook. */
export interface FeedEvent {
  /** Unique, and the same whenever the event is read. */
  id: string;
  type: EventType;
  timestamp: string;
  data: AccountEventData | SubmissionEventData;
}

const POST_IMPORT_ERROR: StoredEvent['event'] = 'POST_IMPORT_ERRORED';

/** The view of a stored event of this supplier. */
export function buildFeedEvent(stored: StoredEvent, supplierCode: string): FeedEvent {
  const { position, event, occurredAt, externalAccountNumber, counts, reconciled } = stored;
  const type = eventTypeOf(event);
  const timestamp = toOffsetMicroseconds(occurredAt, 'UTC');
  const submission = submissionOf(stored);
  if (type && externalAccountNumber !== null)
    return {
      id: `evt_${position.id}_${position.version}_${position.attempt}_${event.toLowerCase()}`,
      type,
      timestamp,
      data: {
        import_supplier: supplierCode,
        external_account_number: externalAccountNumber,
        external_identifier: stored.externalIdentifier,
        platform_account_number: stored.accountNumber,
        submission,
        error: errorOf(stored),
      },
    };
  if (type && submission && counts && reconciled !== null)
    return {
      id: `evt_submission_${position.id}_${position.version}`,
      type,
      timestamp,
      data: {
        import_supplier: supplierCode,
        submission,
        counts: buildCounts(toSubmissionCounts(counts)),
        reconciled,
      },
    };
  throw new Error(`The event ${event} is not one that suppliers see.`);
}

function submissionOf({ submissionId, reference }: StoredEvent): EventSubmission | null {
  return submissionId !== null && reference !== null ? { id: submissionId, reference } : null;
}

function errorOf({ event, errorCode, errorDetail }: StoredEvent): EventError | null {
  if (errorCode === null) return null;
  return {
    code: errorCode,
    detail: errorDetail ?? standardDetail(errorCode),
    domain: event === POST_IMPORT_ERROR ? 'post_import' : 'import_process',
  };
}

/** What is known of an error whose process has another version by now, or that belongs to a follow-up. */
function standardDetail(code: string): string {
  const explained: Partial<Record<string, { explanation: string }>> = ERROR_CODES;
  return explained[code]?.explanation ?? `It has ended with the error ${code}.`;
}
