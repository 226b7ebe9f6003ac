import type { UnsettledState } from '@portage/importing';
import { OperatorOperation, SUPPLIER_PARAM } from '../openapi/describe-operation';
import {
  bodyOf,
  described,
  flag,
  integer,
  listOf,
  nullable,
  objectOf,
  oneOf,
  ref,
  type Schema,
  text,
} from '../openapi/schema-forms';

/** The states that a document can be retried from. */
export const UNSETTLED_STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

export const documentSchemas: Readonly<Record<string, Schema>> = {
  DocumentRoot: objectOf({
    import_supplier: text,
    document_root: text,
    previous_document_root: described(nullable(text), 'Where documents must be moved from.'),
    conflicts_with: described(listOf(text), 'Suppliers whose root is in this one, or has this one in it.'),
  }),
  DocumentRootList: objectOf({ items: listOf(ref('DocumentRoot')) }),
  RetryDocumentsRequest: bodyOf(
    {
      state: oneOf(UNSETTLED_STATES),
      cursor: described(text, '`next_cursor` of the call before. Absent in the first call.'),
    },
    ['state', 'cursor'],
  ),
  RetriedDocuments: objectOf({
    retried: described(integer, 'Documents that this call has scheduled.'),
    without_job: described(integer, 'Of these, the ones whose job a worker adds within a minute.'),
    remaining: described(flag, 'True if documents are left. Call again with `next_cursor`.'),
    next_cursor: nullable(text),
  }),
};

/** Describes the document roots. */
export const DescribeDocumentRoots = () =>
  OperatorOperation({
    ...{ tag: 'Documents', operationId: 'listDocumentRoots', role: 'viewer' },
    summary: 'List the document roots of all suppliers',
    ...{ answer: 'DocumentRootList', answerDescription: 'The roots.' },
    example: {
      items: [
        {
          ...{ import_supplier: 'DEMO', document_root: 'demo', previous_document_root: null },
          conflicts_with: [],
        },
      ],
    },
  });

/** Describes the retry of documents. */
export const DescribeRetryDocuments = () =>
  OperatorOperation({
    ...{ tag: 'Documents', operationId: 'retryDocuments', role: 'operator', params: SUPPLIER_PARAM },
    summary: 'Inspect missing and refused documents again',
    description:
      'For up to 20 seconds in a call. While `remaining` is true, call again with `next_cursor`. Safe to repeat.',
    body: { schema: 'RetryDocumentsRequest', examples: { all: {}, missing: { state: 'MISSING' } } },
    ...{ answer: 'RetriedDocuments', answerDescription: 'What this call has scheduled.' },
    example: { retried: 12, without_job: 0, remaining: false, next_cursor: null },
    errors: ['not_found', 'validation_error'],
  });
