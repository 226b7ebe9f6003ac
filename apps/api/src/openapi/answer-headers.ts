import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';

/** Begins the extensions of an operation that name groups of headers. They are not published. */
const PREFIX = 'x-answers-with-';

/** Headers of answers, by their group. They are on successes and on answers with the status 400. */
const HEADERS = {
  replay: {
    'Idempotent-Replayed': {
      description:
        '`true` if this is the stored response to an earlier request with the same Idempotency-Key. Nothing was done again.',
      schema: { type: 'string', enum: ['true'] },
    },
  },
  'ignored-fields': {
    'Ignored-Fields': {
      description:
        'Paths of undocumented fields, comma-separated and percent-encoded. They are stored and have no effect.',
      schema: { type: 'string' },
    },
    'Ignored-Fields-Suggestions': {
      description:
        'The documented names that ignored fields may have meant, as `path=name`, comma-separated.',
      schema: { type: 'string' },
    },
  },
  'payload-digest': {
    'Payload-Digest': {
      description:
        "The SHA-256 of the payload that is accepted for the account, as `sha-256=:<base64>:` (RFC 9530): this request's, or the earlier one's if the account is imported or being processed. It is the digest of the payload's compact JSON text in UTF-8, as `JSON.stringify(JSON.parse(payload))` writes it. Absent if no payload is accepted, or if it was erased.",
      schema: {
        type: 'string',
        pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
        example: 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
      },
    },
  },
  documents: {
    Documents: {
      description:
        'Documents that the imported account names, those of them that are not in the document store yet, and those that are there and not what they should be. Absent for an account that is not imported or names none.',
      schema: {
        type: 'string',
        pattern: '^named=[0-9]+, missing=[0-9]+, refused=[0-9]+$',
        example: 'named=3, missing=1, refused=0',
      },
    },
  },
  link: {
    Link: {
      description: 'The address of the next page, with `rel="next"`. Absent on the last page.',
      schema: { type: 'string' },
    },
  },
} as const;

const AnswersWith = (group: keyof typeof HEADERS) => ApiExtension(`${PREFIX}${group}`, true);

/** The operation takes the header `Idempotency-Key`. */
export const AcceptsIdempotencyKey = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Identifies this request: a request that is repeated with the same key is performed once.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    AnswersWith('replay'),
  );

/** The operation takes the header `If-Match`. */
export const AcceptsIfMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'The payload digest of the account in quotes, as `Payload-Digest` has it: the account is corrected only if it still is the one with this digest.',
    schema: { type: 'string', pattern: '^"?sha-256=:[A-Za-z0-9+/]{43}=:"?$' },
  });

/** The answer names the undocumented fields of the body. */
export const NamesIgnoredFields = (): MethodDecorator => AnswersWith('ignored-fields');

/** The answer has the digest of the accepted payload. */
export const SendsPayloadDigest = (): MethodDecorator => AnswersWith('payload-digest');

/** The answer counts the documents of an imported account. */
export const CountsDocuments = (): MethodDecorator => AnswersWith('documents');

/** The answer has the address of the next page. */
export const LinksNextPage = (): MethodDecorator => AnswersWith('link');

/** The headers of the groups that an operation names, and its other members. */
export function takeAnswerHeaders<Operation extends object>(
  operation: Operation,
): [headers: Record<string, object>, operation: Operation] {
  const headers: Record<string, object> = {};
  const members = Object.entries(operation).filter(([name]) => {
    if (!name.startsWith(PREFIX)) return true;
    Object.assign(headers, HEADERS[name.slice(PREFIX.length) as keyof typeof HEADERS]);
    return false;
  });
  return [headers, Object.fromEntries(members) as Operation];
}
