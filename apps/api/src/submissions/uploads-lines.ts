import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse } from '@nestjs/swagger';
import { UploadResult } from '@portage/submissions';
import { Endpoint } from '../http/endpoint';
import { LINES_MEDIA_TYPE, StreamsBody } from '../http/streamed-body';
import { AnswersError } from '../openapi/errors.dto';

interface Upload {
  /** The last segment of the path. */
  path: string;
  /** As {@link Endpoint} has it. */
  id: string;
  summary: string;
  description: string;
  /** What the body has. */
  body: string;
  /** Examples of its lines, and of the answer. */
  lines: string;
  result: UploadResult;
}

/** An endpoint that reads lines of a submission, of any number. */
export function UploadsLines({
  path,
  id,
  summary,
  description,
  body,
  lines,
  result,
}: Upload): MethodDecorator {
  return applyDecorators(
    Post(`:id/${path}`),
    HttpCode(200),
    StreamsBody(LINES_MEDIA_TYPE),
    Endpoint({
      id,
      summary,
      description,
      errors: [
        'submission_not_open',
        'submission_of_other_kind',
        'upload_stalled',
        'import_supplier_migration_not_ongoing',
        'quota_reached',
      ],
      kind: 'uploads',
    }),
    ApiConsumes(LINES_MEDIA_TYPE),
    ApiBody({ description: body, schema: { type: 'string' }, examples: { [path]: { value: lines } } }),
    ApiOkResponse({ description: 'The upload was read to its end.', type: UploadResult, example: result }),
    AnswersError(
      400,
      'The submission is not open or of another kind, or the body cannot be read. What was read is stored.',
    ),
    AnswersError(415, 'The body is of another media type, or has an encoding other than gzip.'),
  );
}
