import type { Page } from '@portage/operators';
import type { UnsettledState } from '@portage/accounts';
import { UnsettledDocumentView } from '@portage/operators';
import { ChoiceField, IdField } from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** The states that a document can be retried from. */
export const UNSETTLED_STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

/** The query of the list of documents. */
export class DocumentsQuery extends PageQuery {
  @ChoiceField(UNSETTLED_STATES, { description: 'Only documents in this state.' })
  state?: UnsettledState;
}

/** A page of documents. */
export type DocumentPage = Page<UnsettledDocumentView>;

/** What one call has scheduled. */
export interface RetriedDocuments {
  /** Documents that this call has scheduled. */
  retried: number;
  /** Of these, the ones whose job a worker adds within a minute. */
  without_job: number;
  /** True if documents are left. Call again with `next_cursor`. */
  remaining: boolean;
  next_cursor: string | null;
}

/** The documents to retry. */
export class RetryDocumentsRequest {
  @ChoiceField(UNSETTLED_STATES)
  state?: UnsettledState;

  @IdField({ description: '`next_cursor` of the call before. Absent in the first call.' })
  cursor?: string;
}
