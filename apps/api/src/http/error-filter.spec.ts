import {
  BadRequestException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
} from '@nestjs/common';
import { PayloadAcceptedBefore } from '@portage/imports';
import { DatabaseUnavailable, ERROR_CODES, type ErrorCode, Logger, PortageError } from '@portage/platform';
import { fastify } from 'fastify';
import { ErrorFilter } from './error-filter';

interface SentAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Record<string, unknown>;
  logged: string[];
}

/** The response to a request that fails with `thrown`, and the levels that were logged. */
async function answerTo(thrown: unknown, headers: Record<string, string> = {}): Promise<SentAnswer> {
  const logger = new Logger({ LOG_LEVEL: 'silent' });
  const levels = (['warn', 'error'] as const).map((level) => ({
    level,
    log: jest.spyOn(logger, level),
  }));
  const filter = new ErrorFilter(logger);
  const server = fastify({ genReqId: () => 'request-1' }).get('/', (request, reply) => {
    void reply.headers(headers);
    filter.sendError(thrown, request, reply);
  });
  const { statusCode: status, headers: sent, payload } = await server.inject('/');
  const logged = levels.flatMap(({ level, log }) => log.mock.calls.map(() => level));
  return { status, headers: sent, body: JSON.parse(payload) as Record<string, unknown>, logged };
}

describe('the response to an error', () => {
  it.each(Object.entries(ERROR_CODES))('has for the code %s its status', async (code, { status }) => {
    expect((await answerTo(new PortageError(code as ErrorCode, 'A sentence.'))).status).toBe(status);
  });

  it('has code, detail and the other members of the contract', async () => {
    const { body, headers } = await answerTo(
      new PortageError('import_process_in_progress', 'A sentence.', { domain: 'import_process' }),
    );
    expect(body).toEqual({
      code: 'import_process_in_progress',
      detail: 'A sentence.',
      domain: 'import_process',
    });
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('has the special form of account_import_process_already_imported (contract, "Schedule an account")', async () => {
    const thrown = new PortageError('account_import_process_already_imported', 'A sentence.', {
      account_id: 'A-1',
    });
    expect((await answerTo(thrown)).body).toEqual({
      detail: 'A sentence.',
      code: 'account_import_process_already_imported',
      non_field_errors: { detail: 'A sentence.', code: 'account_import_process_already_imported' },
      account_id: 'A-1',
    });
  });

  it('has a WWW-Authenticate header with every 401, and keeps one that is set', async () => {
    const thrown = new PortageError('token_expired', 'A sentence.');
    const challenge = async (...given: Parameters<typeof answerTo>) =>
      (await answerTo(...given)).headers['www-authenticate'];
    expect(await challenge(thrown)).toBe('Token');
    expect(await challenge(thrown, { 'WWW-Authenticate': 'Basic' })).toBe('Basic');
    expect(await challenge(new PortageError('not_found', 'A sentence.'))).toBeUndefined();
  });

  it.each(['unavailable', 'throttled'] as const)('has a Retry-After header for %s', async (code) => {
    expect((await answerTo(new PortageError(code, 'A sentence.'))).headers['retry-after']).toMatch(/^\d+$/);
  });

  it.each([
    ['the database is unavailable', new DatabaseUnavailable('connect ECONNREFUSED 10.0.0.7:5432')],
    ['a deadlock occurred', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  ])('is a 503 without internal information if %s', async (_what, thrown) => {
    const { status, body, logged } = await answerTo(thrown);
    expect([status, body['code'], logged]).toEqual([503, 'unavailable', ['warn']]);
    expect(JSON.stringify(body)).not.toMatch(/ECONN|10\.0|deadlock/);
  });

  it.each([
    ['a programming error', new TypeError("Cannot read properties of undefined (reading 'secret')")],
    ['a constraint violation', Object.assign(new Error('null value in column "secret"'), { code: '23502' })],
    ['an exception of the framework', new InternalServerErrorException('secret')],
    [
      'the answer of another service',
      Object.assign(new Error('secret'), { statusCode: 403, code: 'AccessDenied' }),
    ],
    ['a thrown string', 'secret'],
  ])('is a 500 with the request id and without internal information for %s', async (_what, thrown) => {
    const { status, body, logged } = await answerTo(thrown);
    expect([status, body['code'], logged]).toEqual([500, 'error', ['error']]);
    expect(body['detail']).toContain('request-1');
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it.each([
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'unsupported_media_type'],
    ['FST_ERR_BAD_URL', 404, 'not_found'],
    ['FST_ERR_MAX_PARAM_LENGTH', 404, 'not_found'],
  ])('translates the error of Fastify %s', async (code, status, ours) => {
    const error = Object.assign(new Error('internal words'), { code, statusCode: 400 });
    for (const thrown of [error, new HttpException(error.message, 400, { cause: error })]) {
      const answered = await answerTo(thrown);
      expect([answered.status, answered.body['code'], answered.logged]).toEqual([status, ours, []]);
      expect(answered.body['detail']).not.toContain('internal');
    }
  });

  it.each([
    [400, 'parse_error', new BadRequestException('secret')],
    [403, 'forbidden', Object.assign(new Error('secret'), { statusCode: 403, code: 'FST_STATIC_FORBIDDEN' })],
    [400, 'parse_error', Object.assign(new Error('secret'), { statusCode: 400, expose: true })],
    [404, 'not_found', Object.assign(new Error('secret'), { statusCode: 404, expose: false })],
    [412, 'parse_error', Object.assign(new Error('secret'), { statusCode: 412, expose: true })],
    [414, 'payload_too_large', new HttpException('secret', 414)],
    [416, 'parse_error', Object.assign(new Error('secret'), { statusCode: 416, expose: true })],
  ])('keeps the status %i of the framework, without its words, as %s', async (status, code, thrown) => {
    const answered = await answerTo(thrown);
    expect([answered.status, answered.body['code'], answered.logged]).toEqual([status, code, []]);
    expect(JSON.stringify(answered.body)).not.toContain('secret');
  });

  it('has the digest of the payload that was accepted before', async () => {
    const code = 'account_import_process_already_imported';
    const digestOf = async (digest: Buffer | null) =>
      (await answerTo(new PayloadAcceptedBefore(code, 'A sentence.', {}, digest))).headers['payload-digest'];
    expect(await digestOf(Buffer.from([1, 2, 3]))).toBe('sha-256=:AQID:');
    expect(await digestOf(null)).toBeUndefined();
  });

  it('is a 404 for an unknown address', async () => {
    expect(await answerTo(new NotFoundException('Cannot GET /secret'))).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no resource at this address.' },
      logged: [],
    });
  });
});
