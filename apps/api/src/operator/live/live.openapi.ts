import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

/** The most streams of one API instance. */
export const MAX_STREAMS = 50;
/** The most streams of one operator at an API instance. */
export const MAX_OPERATOR_STREAMS = 5;
/** The most topics of one stream. */
export const MAX_TOPICS = 10;

export const liveSchemas: Readonly<Record<string, form.Schema>> = {
  LiveEvent: form.objectOf({
    id: form.text,
    event: form.described(form.text, 'The topic, or `end`.'),
    data: {
      anyOf: ['Overview', 'SupplierDetail', 'SubmissionDetail', 'LiveEnd'].map(form.ref),
      description: 'Sent as JSON text.',
    },
  }),
  LiveEnd: form.objectOf({ reason: form.oneOf(['session_ended', 'stopping', 'too_slow']) }),
};

/** Describes the stream. */
export const DescribeLive = () =>
  OperatorOperation({
    ...{
      tag: 'Live',
      operationId: 'followLive',
      summary: 'Follow changes as server-sent events',
      role: 'viewer',
    },
    description: [
      'Every two seconds an event for each topic whose content has changed: `overview` with an Overview,',
      '`supplier:<code>` with a SupplierDetail, `submission:<id>` with a SubmissionDetail, as JSON in `data`.',
      'Comments every 15 seconds keep the connection open. Before the stream ends it sends `end` with the reason:',
      '`session_ended` (sign in), `stopping` (connect again), `too_slow` (connect again).',
      `At most ${MAX_STREAMS} streams an instance and ${MAX_OPERATOR_STREAMS} an operator: 429 otherwise.`,
    ].join(' '),
    query: {
      topics: {
        description: `Up to ${MAX_TOPICS} topics, separated by commas: overview, supplier:<code>, submission:<id>.`,
        schema: { type: 'string', default: 'overview' },
      },
    },
    ...{
      answer: 'LiveEvent',
      answerDescription: 'The stream: one such event after the other.',
      mediaType: 'text/event-stream',
    },
    example: { id: '7', event: 'end', data: { reason: 'stopping' } },
    errors: ['validation_error', 'not_found', 'throttled'],
  });
