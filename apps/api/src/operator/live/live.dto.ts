import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { OverviewView, SubmissionDetailView, SupplierDetailView } from '@portage/operators';
import { Field } from '../../http/fields';

/** The most streams of one API instance. */
export const MAX_STREAMS = 50;
/** The most streams of one operator at an API instance. */
export const MAX_OPERATOR_STREAMS = 5;
/** The most topics of one stream. */
export const MAX_TOPICS = 10;

const TOPIC = /^(overview|supplier:.{1,128}|submission:\d{1,18})$/u;
const TOPICS_DETAIL = `Enter 1 to ${MAX_TOPICS} topics, separated by commas: overview, supplier:<code>, submission:<id>.`;

/** The query of a stream. */
export class LiveQuery {
  @Field(
    { code: 'invalid', detail: TOPICS_DETAIL, parse: parseTopics },
    { type: 'string', default: 'overview' },
    {
      description: `Up to ${MAX_TOPICS} topics, separated by commas: overview, supplier:<code>, submission:<id>.`,
    },
  )
  topics?: string[];
}

/** The last event of a stream. */
export class LiveEnd {
  @ApiProperty({ type: String, enum: ['session_ended', 'stopping', 'too_slow'] })
  reason: 'session_ended' | 'stopping' | 'too_slow';
}

const CONTENTS = [OverviewView, SupplierDetailView, SubmissionDetailView, LiveEnd];

/** An event of a stream. */
@ApiExtraModels(...CONTENTS)
export class LiveEvent {
  @ApiProperty()
  id: string;

  @ApiProperty({ description: 'The topic, or `end`.' })
  event: string;

  @ApiProperty({
    anyOf: CONTENTS.map((type) => ({ $ref: getSchemaPath(type) })),
    description: 'Sent as JSON text.',
  })
  data: unknown;
}

function parseTopics(topics: unknown): string[] | undefined {
  const names = typeof topics === 'string' ? [...new Set(topics.split(','))] : [];
  const isValid = names.length > 0 && names.length <= MAX_TOPICS && names.every((name) => TOPIC.test(name));
  return isValid ? names : undefined;
}
