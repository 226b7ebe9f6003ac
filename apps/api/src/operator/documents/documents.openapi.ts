import type { UnsettledState } from '@portage/importing';
import { OperatorOperation, SUPPLIER_PARAM } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

/** The states that a document can be retried from. */
export const UNSETTLED_STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

export const documentSchemas: Readonly<Record<string, form.Schema>> = {
  DocumentRoot: form.objectOf({
    import_supplier: form.text,
    document_root: form.text,
    previous_document_root: form.described(form.nullable(form.text), 'Where documents must be moved from.'),
    conflicts_with: form.described(
      form.listOf(form.text),
      'Suppliers whose root is in this one, or has this one in it.',
    ),
  }),
  DocumentRootList: form.objectOf({ items: form.listOf(form.ref('DocumentRoot')) }),
  RetryDocumentsRequest: form.bodyOf(
    {
      state: form.oneOf(UNSETTLED_STATES),
      cursor: form.described(form.text, '`next_cursor` of the call before. Absent in the first call.'),
    },
    ['state', 'cursor'],
  ),
  RetriedDocuments: form.objectOf({
    retried: form.described(form.integer, 'Documents that this call has scheduled.'),
    without_job: form.described(form.integer, 'Of these, the ones whose job a worker adds within a minute.'),
    remaining: form.described(form.flag, 'True if documents are left. Call again with `next_cursor`.'),
    next_cursor: form.nullable(form.text),
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
