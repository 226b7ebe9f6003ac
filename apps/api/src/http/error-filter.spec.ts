import { BadRequestException, HttpException, NotFoundException } from '@nestjs/common';
import { DatabaseUnavailable } from '@portage/database';
import { type ErrorCode, PortageError, VENDOR_FAILURES, VENDOR_REFUSALS } from '@portage/domain';
import type { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorFilter, STATUS_OF } from './error-filter';

/** DESIGN 1, error bodies, and contract 7. */
const DOCUMENTED: Record<number, ErrorCode[]> = {
  400: [
    'parse_error',
    'validation_error',
    'account_failed_validation',
    'import_process_failed_validation',
    'account_import_process_already_imported',
    'import_process_in_progress',
    'import_supplier_migration_not_ongoing',
    'external_identifier_already_exists',
    'schedule_window_start_in_past',
    'schedule_window_start__after_end',
    'schedule_window_end_too_far_in_future',
    'idempotency_key_reused',
    'transaction_outside_open_statement_period',
    'line_items_overlap_already_charged_period',
    'ledger_balance_out_of_range',
    ...codesOf(VENDOR_REFUSALS),
  ],
  401: ['not_authenticated', 'authentication_failed', 'token_expired'],
  403: ['forbidden'],
  404: ['not_found', 'account_not_found'],
  405: ['method_not_allowed'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  429: ['throttled'],
  500: ['error', ...codesOf(VENDOR_FAILURES)],
  503: ['unavailable'],
};

function codesOf<Code extends string>(texts: Readonly<Record<Code, string>>): Code[] {
  return Object.keys(texts) as Code[];
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  logged: string[];
}

/** What a client gets, and what the log says, when a request fails with `thrown`. */
function answerTo(thrown: unknown, headers: Record<string, string> = {}): Answered {
  const answered: Answered = { status: 200, headers: { ...headers }, body: {}, logged: [] };
  const reply = {
    hasHeader: (name: string) => name in answered.headers,
    header: (name: string, value: string) => {
      answered.headers[name] = value;
      return reply;
    },
    status: (status: number) => {
      answered.status = status;
      return reply;
    },
    type: (type: string) => reply.header('Content-Type', type),
    send: (body: Record<string, unknown>) => {
      answered.body = body;
    },
  };
  const log = (kind: string) => () => {
    answered.logged.push(kind);
  };
  const logger = { warning: log('warning'), failure: log('failure') } as unknown as Logger;
  new ErrorFilter(logger).answer(
    thrown,
    { id: 'request-1' } as FastifyRequest,
    reply as unknown as FastifyReply,
  );
  return answered;
}

describe('the answer to a failure', () => {
  it.each(
    Object.entries(DOCUMENTED).flatMap(([status, codes]) =>
      codes.map((code) => [code, Number(status)] as const),
    ),
  )('%s is status %i', (code, status) => {
    expect(answerTo(new PortageError(code, 'Words.')).status).toBe(status);
  });

  it('has a documented status for every code there is', () => {
    expect(Object.keys(STATUS_OF).sort()).toEqual(Object.values(DOCUMENTED).flat().sort());
  });

  it('has code, detail and what the contract puts beside them', () => {
    const { body, headers } = answerTo(
      new PortageError('import_process_in_progress', 'Words.', { domain: 'import_process' }),
    );
    expect(body).toEqual({ code: 'import_process_in_progress', detail: 'Words.', domain: 'import_process' });
    expect(headers['Content-Type']).toBe('application/json; charset=utf-8');
  });

  it('keeps the one shape of its own that the contract gives (4.7)', () => {
    const thrown = new PortageError('account_import_process_already_imported', 'Words.', {
      account_id: 'A-1',
    });
    expect(answerTo(thrown).body).toEqual({
      non_field_errors: { detail: 'Words.', code: 'account_import_process_already_imported' },
      account_id: 'A-1',
    });
  });

  it('asks for a token with every 401, unless something else is asked for already', () => {
    const thrown = new PortageError('token_expired', 'Words.');
    expect(answerTo(thrown).headers['WWW-Authenticate']).toBe('Token');
    expect(answerTo(thrown, { 'WWW-Authenticate': 'Basic' }).headers['WWW-Authenticate']).toBe('Basic');
    expect(answerTo(new PortageError('not_found', 'Words.')).headers).not.toHaveProperty('WWW-Authenticate');
  });

  it.each(['unavailable', 'throttled'] as const)('%s says when to come back', (code) => {
    expect(answerTo(new PortageError(code, 'Words.')).headers['Retry-After']).toMatch(/^\d+$/);
  });

  it.each([
    ['the database does not answer', new DatabaseUnavailable('connect ECONNREFUSED 10.0.0.7:5432')],
    ['two requests met in a deadlock', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  ])('is 503 where %s, with nothing about it', (_what, thrown) => {
    const { status, body, logged } = answerTo(thrown);
    expect([status, body['code'], logged]).toEqual([503, 'unavailable', ['warning']]);
    expect(JSON.stringify(body)).not.toMatch(/ECONN|10\.0|deadlock/);
  });

  it.each([
    ['a mistake in the program', new TypeError("Cannot read properties of undefined (reading 'secret')")],
    [
      'a row the database refuses',
      Object.assign(new Error('null value in column "secret"'), { code: '23502' }),
    ],
    ['an exception of the framework', new BadRequestException('secret')],
    ['no error at all', 'secret'],
  ])('is 500 where there was %s, with the request id and nothing internal', (_what, thrown) => {
    const { status, body, logged } = answerTo(thrown);
    expect([status, body['code'], logged]).toEqual([500, 'error', ['failure']]);
    expect(body['detail']).toContain('request-1');
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'payload_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'unsupported_media_type'],
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 400, 'parse_error'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400, 'parse_error'],
    ['FST_ERR_BAD_URL', 404, 'not_found'],
    ['FST_ERR_MAX_PARAM_LENGTH', 404, 'not_found'],
  ])('says in our words what the server refuses by itself: %s', (code, status, ours) => {
    const error = Object.assign(new Error('internal words'), { code, statusCode: 400 });
    for (const thrown of [error, new HttpException(error.message, 400, { cause: error })]) {
      const answered = answerTo(thrown);
      expect([answered.status, answered.body['code'], answered.logged]).toEqual([status, ours, []]);
      expect(answered.body['detail']).not.toContain('internal');
    }
  });

  it('is 404 at an address where there is nothing', () => {
    expect(answerTo(new NotFoundException('Cannot GET /secret'))).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is nothing at this address.' },
      logged: [],
    });
  });
});
