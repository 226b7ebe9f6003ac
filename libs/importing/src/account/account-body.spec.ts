import { parseAccountBody, payloadHash } from './account-body';

const account = { import_supplier: 'LEGACY', external_account_number: 'N-1' };

describe('the body of a request about an account', () => {
  it('may be the bare account', () => {
    expect(parseAccountBody(account)).toEqual({ payload: account, taskParams: {}, undocumented: [] });
  });

  it('may be the account wrapped, with what to do with it', () => {
    expect(parseAccountBody({ payload: account, task_params: { is_dry_run: true } })).toEqual({
      payload: account,
      taskParams: { is_dry_run: true },
      undocumented: [],
    });
  });

  it.each([undefined, null, {}])('asks for nothing in particular with task_params %j', (task_params) => {
    expect(parseAccountBody({ payload: account, task_params })).toEqual({
      payload: account,
      taskParams: {},
      undocumented: [],
    });
  });

  it.each([[[]], ['is_dry_run'], [true], [1]])(
    'says nothing that can be followed with task_params %j',
    (task_params) => {
      expect(parseAccountBody({ payload: account, task_params }).taskParams).toBeUndefined();
    },
  );

  it('names what means nothing beside the account: a dry run that is misspelt is none', () => {
    const body = { payload: account, task_params: { isDryRun: true, is_dry_run: false }, dry_run: true };
    expect(parseAccountBody(body).undocumented).toEqual(['dry_run', 'task_params.isDryRun']);
  });

  it.each(['text', 7, null, [account], true])('is an account itself where payload is %j', (payload) => {
    expect(parseAccountBody({ payload }).payload).toEqual({ payload });
  });
});

describe('the hash of a request', () => {
  const hash = (payload: string, taskParams: Record<string, unknown> = {}) =>
    payloadHash(payload, taskParams).toString('hex');
  const text = JSON.stringify(account);
  const plain = hash(text);

  it.each([
    ['nothing', {}],
    [
      'what is the default anyway',
      { is_dry_run: false, schedule_window_start: null, schedule_window_end: null },
    ],
    ['empty texts', { schedule_window_start: '', schedule_window_end: '' }],
    ['what means nothing', { isDryRun: true }],
  ])('is the same for the same account and %s', (_what, taskParams) => {
    expect(hash(text, taskParams)).toBe(plain);
  });

  it('tells apart all that makes a difference', () => {
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
