import { createHash } from 'node:crypto';
import { formatPayloadDigest, hashPayload, parseAccountBody } from './account-body';

const account = { import_supplier: 'LEGACY', external_account_number: 'N-1' };

describe('an account body', () => {
  it('may be the bare account', () => {
    expect(parseAccountBody(account)).toEqual({ payload: account, taskParams: {} });
  });

  it('may wrap the account and have task_params', () => {
    expect(parseAccountBody({ payload: account, task_params: { is_dry_run: true } })).toEqual({
      payload: account,
      taskParams: { is_dry_run: true },
    });
  });

  it.each([undefined, null, {}])('has no parameters with task_params %j', (task_params) => {
    expect(parseAccountBody({ payload: account, task_params })).toEqual({
      payload: account,
      taskParams: {},
    });
  });

  it.each([[[]], ['is_dry_run'], [true], [1]])(
    'has undefined parameters with task_params %j',
    (task_params) => {
      expect(parseAccountBody({ payload: account, task_params }).taskParams).toBeUndefined();
    },
  );

  it.each(['text', 7, null, [account], true])('is the bare account if payload is %j', (payload) => {
    expect(parseAccountBody({ payload }).payload).toEqual({ payload });
  });
});

describe('the hash of a request', () => {
  const hash = (payload: string, taskParams: Record<string, unknown> = {}) =>
    hashPayload(payload, taskParams).payloadHash.toString('hex');
  const text = JSON.stringify(account);
  const plain = hash(text);

  it.each([
    ['no parameters', {}],
    ['default values', { is_dry_run: false, schedule_window_start: null, schedule_window_end: null }],
    ['empty texts', { schedule_window_start: '', schedule_window_end: '' }],
    ['undocumented parameters', { isDryRun: true }],
  ])('is the same for the same account and %s', (_what, taskParams) => {
    expect(hash(text, taskParams)).toBe(plain);
  });

  it('differs for every difference that matters', () => {
    const start = '2026-01-31T09:00:00Z';
    const hashes = [
      plain,
      hash(`${text} `),
      hash(JSON.stringify({ ...account, external_account_number: 'N-2' })),
      hash(text, { is_dry_run: true }),
      hash(text, { schedule_window_start: start }),
      hash(text, { schedule_window_end: start }),
      hash(text, { schedule_window_start: start, schedule_window_end: start }),
      hash(text, { is_dry_run: true, schedule_window_start: start }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('the digest of a payload', () => {
  const text = JSON.stringify(account);

  it('is the SHA-256 of its compact JSON text, whatever the parameters', () => {
    const expected = createHash('sha256').update(text).digest('base64');
    for (const taskParams of [{}, { is_dry_run: true }])
      expect(hashPayload(text, taskParams).payloadDigest.toString('base64')).toBe(expected);
  });

  it('is written in the form of RFC 9530', () => {
    expect(formatPayloadDigest(hashPayload('{}', {}).payloadDigest.toString('base64'))).toBe(
      'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
    );
  });
});
