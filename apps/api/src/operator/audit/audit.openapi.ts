import { AUDIT_ACTIONS } from '@portage/domain';
import { OperatorOperation, PAGE_QUERY } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

export const auditSchemas: Readonly<Record<string, form.Schema>> = {
  AuditEntry: form.objectOf({
    occurred_at: form.moment,
    actor: form.text,
    action: form.oneOf(AUDIT_ACTIONS),
    import_supplier: form.nullable(form.text),
    subject: form.nullable(form.text),
    details: { type: 'object', additionalProperties: true },
  }),
  AuditPage: {
    ...form.pageOf('AuditEntry'),
    description:
      'A page can have fewer items than `limit`, or none, although `next_cursor` is set: one request examines at most 5,000 entries. Read on with the cursor until it is null.',
  },
};

/** Describes the audit. */
export const DescribeAudit = () =>
  OperatorOperation({
    ...{
      tag: 'Audit',
      operationId: 'listAudit',
      summary: 'Search the audit, the newest entry first',
      role: 'viewer',
    },
    query: {
      since: { description: 'Since this moment.', schema: form.moment },
      until: { description: 'Before this moment.', schema: form.moment },
      supplier: { description: 'Only changes of this supplier.', schema: { type: 'string' } },
      actor: {
        description: 'Only changes by this actor: `operator:<name>` or `api-key:<prefix>`.',
        schema: { type: 'string' },
      },
      action: { description: 'Only this action.', schema: form.oneOf(AUDIT_ACTIONS) },
      ...PAGE_QUERY,
    },
    ...{ answer: 'AuditPage', answerDescription: 'A page of entries.', errors: ['validation_error'] },
    example: {
      items: [
        {
          ...{ occurred_at: '2026-11-21T09:40:12.120331Z', actor: 'operator:ada', action: 'process.retry' },
          ...{ import_supplier: 'DEMO', subject: null, details: { error_code: 'error', steered: 13 } },
        },
      ],
      next_cursor: null,
    },
  });
