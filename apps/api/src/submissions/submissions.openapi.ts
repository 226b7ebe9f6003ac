import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { LINES_MEDIA_TYPE } from '../http/streamed-body';
import { AcceptsQuery } from '../http/query-parameters';
import { errorResponse } from '../openapi/error-responses';
import { jsonContent } from '../openapi/json-content';

/** Rows of the longest page. */
export const MAX_PAGE_ROWS = 1_000;

const listed = {
  id: '17',
  import_supplier: 'DEMO',
  reference: 'book-2026-11',
  status: 'RECEIVED',
  created_at: '2026-11-21T09:30:00.123456+00:00',
  completed_at: '2026-11-21T09:41:10.000512+00:00',
  finished_at: null,
};

const submission = {
  ...listed,
  counts: {
    ...{ received: 20000, refused: 13, repeated: 64, pending: 9120, in_progress: 64, processed: 10790 },
    ...{ errored: 13, dry_run_succeeded: 0, dry_run_errored: 0, cancelled: 0 },
  },
  accounts_per_second: 184.2,
  estimated_end: '2026-11-21T09:42:00.000000+00:00',
};

const opened = {
  ...submission,
  ...{ status: 'OPEN', completed_at: null, accounts_per_second: null, estimated_end: null },
  counts: Object.fromEntries(Object.keys(submission.counts).map((name) => [name, 0])),
};

const twoLines = ['A-100231', 'A-100232']
  .map((number) => ({
    import_supplier: 'DEMO',
    external_account_number: number,
    customers: [{ given_name: 'Maeve', family_name: 'Aldous' }],
  }))
  .map((account) => `${JSON.stringify(account)}\n`)
  .join('');

const notOpen = {
  code: 'submission_not_open',
  detail:
    'Submission 17 was completed, so it takes no more accounts. Open another one for accounts that are missing.',
};

const DescribeSubmissions = () => applyDecorators(ApiTags('Submissions'), ApiSecurity('token'));

const DescribeId = () =>
  applyDecorators(
    DescribeSubmissions(),
    ApiParam({ name: 'id', description: 'The id of the submission', example: '17' }),
    ApiResponse(
      errorResponse(404, 'There is no such submission.', {
        code: 'not_found',
        detail: 'There is no such submission.',
      }),
    ),
  );

/** Describes the opening of a submission. */
export const DescribeOpen = () =>
  applyDecorators(
    DescribeSubmissions(),
    ApiOperation({
      operationId: 'openSubmission',
      summary: 'Open a submission',
      description:
        'A book of accounts that is uploaded, watched and reconciled as one unit. `task_params` apply to each of its accounts. Safe to repeat with the same body.',
    }),
    ApiBody({
      required: true,
      schema: { $ref: '#/components/schemas/OpenSubmissionRequest' },
      examples: {
        submission: {
          value: {
            import_supplier: 'DEMO',
            reference: 'book-2026-11',
            expected: { accounts: 20000, opening_balance: '-1234567.89' },
          },
        },
      },
    }),
    ApiCreatedResponse({
      description: 'The submission is open.',
      content: jsonContent('Submission', opened),
    }),
    ApiOkResponse({
      description: 'An earlier request with the same body has opened it.',
      content: jsonContent('Submission', submission),
    }),
    ApiResponse(
      errorResponse(400, 'The submission is not valid, or its reference is taken.', {
        taken: {
          code: 'submission_reference_already_exists',
          detail: 'Submission 17 has this reference, and was opened with another body.',
        },
        invalid: {
          code: 'validation_error',
          detail: 'The submission is not valid.',
          errors: [
            {
              detail: 'Enter a whole number that is not negative.',
              code: 'invalid',
              attr: 'expected.accounts',
            },
          ],
        },
      }),
    ),
  );

/** Describes the list of submissions. */
export const DescribeList = () =>
  applyDecorators(
    DescribeSubmissions(),
    ApiOperation({
      operationId: 'listSubmissions',
      summary: 'List the submissions of a supplier',
      description: 'Newest first, 100 on a page unless `limit` says otherwise.',
    }),
    AcceptsQuery({
      supplier: { description: 'Import supplier code. Required.', schema: { type: 'string' } },
      limit: {
        description: 'Rows of a page',
        schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_ROWS },
      },
      after: { description: 'The id of the last row of the previous page', schema: { type: 'string' } },
    }),
    ApiOkResponse({
      description: 'A page of the list.',
      headers: {
        Link: {
          description: 'The address of the next page, with `rel="next"`. Absent on the last page.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': {
          schema: { type: 'array', items: { $ref: '#/components/schemas/ListedSubmission' } },
          example: [listed],
        },
      },
    }),
  );

/** Describes the state of a submission. */
export const DescribeRead = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'readSubmission',
      summary: 'State and counts of a submission',
      description: 'The counts are at most one second old.',
    }),
    ApiOkResponse({ description: 'The submission.', content: jsonContent('Submission', submission) }),
  );

/** Describes the upload of accounts. */
export const DescribeUpload = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'uploadAccounts',
      summary: 'Upload accounts, one a line',
      description:
        'The body has one account a line, is of any length and may be compressed with gzip. Lines are validated, stored and enqueued while it is read. A line that is refused does not end the upload. Safe to repeat: a line whose account was accepted with the same content is counted as repeated.',
    }),
    ApiConsumes(LINES_MEDIA_TYPE),
    ApiBody({
      required: true,
      description: 'One account a line, each a JSON object. Blank lines are skipped.',
      schema: { type: 'string' },
      examples: { accounts: { value: twoLines } },
    }),
    ApiOkResponse({
      description: 'The upload was read to its end.',
      content: jsonContent('Upload', {
        ...{ lines: 20077, accepted: 20000, refused: 13, repeated: 64 },
        ignored_fields: { 'customers.*.nick_name': 12 },
      }),
    }),
    ApiResponse(
      errorResponse(400, 'The submission is not open, or the body cannot be read. What was read is stored.', {
        closed: notOpen,
        array: {
          code: 'parse_error',
          detail:
            'The body is a JSON array. Send one account a line: JSON objects, each followed by a line break.',
        },
        stalled: {
          code: 'upload_stalled',
          detail: 'Nothing was sent for 30 s. What was read is stored. Send the whole file again.',
        },
      }),
    ),
    ApiResponse(
      errorResponse(415, 'The body is of another media type, or has an encoding other than gzip.', {
        code: 'unsupported_media_type',
        detail: `Send one account a line, with the header Content-Type: ${LINES_MEDIA_TYPE}, plain or with Content-Encoding: gzip.`,
      }),
    ),
  );

/** Describes the completion of a submission. */
export const DescribeComplete = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'completeSubmission',
      summary: 'Complete a submission: nothing more will be uploaded',
      description: 'Safe to repeat. An upload that is in progress ends with an error.',
    }),
    ApiOkResponse({ description: 'The submission.', content: jsonContent('Submission', submission) }),
    ApiResponse(errorResponse(400, 'The submission was aborted.', notOpen)),
  );

/** Describes the abortion of a submission. */
export const DescribeAbort = () =>
  applyDecorators(
    DescribeId(),
    ApiOperation({
      operationId: 'abortSubmission',
      summary: 'Abort a submission: cancel whatever has not begun',
      description:
        'Accounts that are being imported end by themselves, and imported ones stay. Safe to repeat. What 20 seconds do not suffice for is cancelled within a minute afterwards.',
    }),
    ApiOkResponse({
      description: 'The submission is aborted, unless it had finished.',
      content: jsonContent('AbortedSubmission', {
        cancelled: 9120,
        submission: { ...submission, status: 'ABORTED' },
      }),
    }),
  );
