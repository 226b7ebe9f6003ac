import { SharedPortage } from '@portage/testing';

const V1 = '/v1/data-import';
const V2 = '/v2/data-import';
const WINDOW = '2999-01-01T00:00:00Z';

const portage = SharedPortage.use('postgres');

const account = (number: string, more: object = {}) => portage.account(number, more);
const stored = async () =>
  portage.countRows(
    `import_process JOIN import_supplier supplier ON supplier.id = supplier_id
     WHERE code = $1 AND external_account_number = 'A-1'`,
    [portage.supplier],
  );

const about = () => portage.about('A-1');
const staged = () => ({ import_supplier_code: portage.supplier, external_account_number: 'A-1' });

/** The address, the body, and the path of the error. misplaced-parameters.spec.ts has every place and spelling. */
const MISPLACED: [string, () => object, string][] = [
  [`${V2}/accounts/`, () => account('A-1', { is_dry_run: true }), 'is_dry_run'],
  [`${V2}/accounts/validate/`, () => account('A-1', { dry_run: true }), 'dry_run'],
  [`${V1}/account-import-process/create-or-update/`, () => account('A-1', { dry_run: true }), 'dry_run'],
  [`${V1}/account-import-process/process/`, () => ({ ...staged(), is_dry_run: true }), 'is_dry_run'],
  [`${V1}/transactions/create/`, () => ({ ...about(), transactions: [], is_dry_run: true }), 'is_dry_run'],
  [`${V1}/notes/create/`, () => ({ ...about(), notes: [{ body: 'x' }], dry_run: true }), 'dry_run'],
  [`${V2}/accounts/?is_dry_run=true`, () => account('A-1'), 'is_dry_run'],
  [`${V1}/account-import-process/process/?dry_run=true`, staged, 'dry_run'],
];

describe('a rehearsal', () => {
  it.each(MISPLACED)(
    'a parameter in a place where it has no effect is refused, and nothing is stored: %s',
    async (path, body, attr) => {
      const { status, body: answer } = await portage.post(path, body());
      expect([status, answer.code]).toEqual([400, 'misplaced_parameter']);
      expect(answer.errors).toEqual([
        {
          attr,
          code: 'misplaced_parameter',
          detail: expect.stringMatching(/^It has no effect here\. (Send|This)/),
        },
      ]);
      expect(await stored()).toBe(0);
    },
  );

  it('a misplaced parameter in a line of an upload is refused with its line', async () => {
    const lines = [
      account('L-1', { is_dry_run: true }),
      { payload: account('L-2'), dry_run: true },
      { payload: account('L-3', { schedule_window_end: WINDOW }) },
      { payload: account('L-4'), task_params: { is_dry_run: true } },
      { payload: account('L-5'), options: { is_dry_run: true } },
    ];
    const id = await portage.openSubmission('misplaced');
    const uploaded = await portage.upload(id, lines);
    expect(uploaded.body).toMatchObject({ lines: 5, accepted: 0, refused: 5, ignored_fields: {} });
    expect((await portage.results(id)).map(({ errors }) => errors[0] as object)).toEqual([
      expect.objectContaining({ attr: 'is_dry_run', code: 'misplaced_parameter' }),
      expect.objectContaining({ attr: 'dry_run', code: 'misplaced_parameter' }),
      expect.objectContaining({ attr: 'payload.schedule_window_end', code: 'misplaced_parameter' }),
      expect.objectContaining({ attr: 'task_params', code: 'task_params_in_line' }),
      expect.objectContaining({ attr: 'options', code: 'unknown_field' }),
    ]);
  });
});

describe('a body with a member that has no meaning is refused', () => {
  const unknown = (attr: string) => [expect.objectContaining({ attr, code: 'unknown_field' })];
  const submission = (more: object) => ({ import_supplier: portage.supplier, reference: 'closed', ...more });

  it.each<[string, () => object, string]>([
    ['submissions/', () => submission({ taskParams: { is_dry_run: true } }), 'taskParams'],
    ['submissions/', () => submission({ task_params: { isDryRun: true } }), 'task_params.isDryRun'],
    ['submissions/', () => submission({ expected: { acounts: 5 } }), 'expected.acounts'],
    [
      'webhook-endpoints/',
      () => ({ import_supplier: portage.supplier, url: 'https://hooks.example.com/', enabled: false }),
      'enabled',
    ],
    ['submissions/1/complete/', () => ({ dryness: true }), 'dryness'],
    ['submissions/1/abort/', () => ({ only: 'pending' }), 'only'],
    ['accounts/A/B/cancel/', () => ({ reason: 'x' }), 'reason'],
    ['webhook-endpoints/1/rotate-secret/', () => ({ keep_hours: 48 }), 'keep_hours'],
    ['webhook-endpoints/1/replay/', () => ({ after: 'now', types: [] }), 'types'],
  ])('%s %#', async (path, body, attr) => {
    const { status, body: answer } = await portage.post(`${V2}/${path}`, body());
    expect([status, answer.code, answer.errors]).toEqual([400, 'validation_error', unknown(attr)]);
  });
});

it('a line that JSON.parse would read as something else is refused: a key twice in one object, and a number that is rounded', async () => {
  const line = JSON.stringify(account('L-10'));
  const text = [
    `${line.slice(0, -1)},"external_account_number":"L-11"}`,
    `${line.slice(0, -1)},"transfer_balance":12.340000000000000001}`,
  ].join('\n');
  const id = await portage.openSubmission('ambiguous');
  const uploaded = await portage.upload(id, text);
  expect(uploaded.body).toMatchObject({ lines: 2, accepted: 0, refused: 2 });
  expect((await portage.results(id)).map(({ errors }) => errors as object[])).toEqual([
    [
      expect.objectContaining({
        code: 'line_ambiguous',
        detail: expect.stringContaining('"external_account_number" twice'),
      }),
    ],
    [
      expect.objectContaining({
        code: 'line_ambiguous',
        detail: expect.stringContaining('cannot be read exactly'),
      }),
    ],
  ]);
});
