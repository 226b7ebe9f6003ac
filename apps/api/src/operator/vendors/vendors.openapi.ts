import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

export const vendorSchemas: Readonly<Record<string, form.Schema>> = {
  VendorMinute: form.objectOf({
    at: form.described(form.moment, 'The beginning of the minute.'),
    verified: form.integer,
    refused: form.integer,
    unavailable: form.integer,
  }),
  Vendor: form.objectOf({
    name: form.text,
    breaker: form.oneOf(['closed', 'open', 'half-open', 'unknown']),
    since: form.nullable(form.moment),
    workers: form.described(
      form.listOf(
        form.objectOf({
          id: form.text,
          breaker: form.oneOf(['closed', 'open', 'half-open']),
          since: form.nullable(form.moment),
        }),
      ),
      'The breaker of each worker that is alive: breakers are not shared.',
    ),
    outcomes: form.described(
      form.listOf(form.ref('VendorMinute')),
      'Outcomes of the last 60 minutes, without minutes that have none, the oldest first. A worker that stopped takes its minutes with it.',
    ),
  }),
  VendorList: form.objectOf({ items: form.listOf(form.ref('Vendor')) }),
};

/** Describes the vendors. */
export const DescribeVendors = () =>
  OperatorOperation({
    ...{ tag: 'Vendors', operationId: 'listVendors', summary: 'List the payment vendors', role: 'viewer' },
    description:
      'The state of their circuit breakers and the outcomes of verifications, as the workers report them.',
    ...{ answer: 'VendorList', answerDescription: 'All vendors.' },
    example: {
      items: [
        {
          ...{ name: 'STRIPE', breaker: 'closed', since: null },
          workers: [{ id: '5b1f2c1e-6c5a-4c6f-9a35-1c2f2c5f4b11', breaker: 'closed', since: null }],
          outcomes: [{ at: '2026-11-21T09:40:00.000Z', verified: 31, refused: 2, unavailable: 0 }],
        },
      ],
    },
  });
