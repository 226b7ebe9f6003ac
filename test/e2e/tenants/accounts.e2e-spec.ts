import { type Answer, anyBackend, SharedPortage, testedBackends } from '@portage/testing';

describe.each(testedBackends())('accounts, with the queue in %s', (backend) => {
  const portage = SharedPortage.use(backend);
  let scheduled: Answer;

  beforeAll(async () => {
    scheduled = await portage.schedule(portage.account('A/1 №7', { external_identifier: 'own id/ü' }));
    await portage.waitForAccount('own id/ü', 'PROCESSED');
  });

  const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

  // Contract, "Schedule an account" to "Read the v1 status of an import".
  it('creates a scheduled account and shows it in both views', async () => {
    expect([scheduled.status, scheduled.body]).toEqual([201, {}]);

    const { status, body } = await portage.status('own id/ü');
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'PROCESSED',
      platform_identifier: expect.stringMatching(/^A-[0-9a-f]{8}$/),
      created_at: expect.stringMatching(MICROSECONDS),
      modified_at: expect.stringMatching(MICROSECONDS),
      schedule_window_start: null,
      schedule_window_end: expect.stringMatching(MICROSECONDS),
      latest_event: {
        event: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED',
        occurred_at: expect.stringMatching(MICROSECONDS),
        data: null,
      },
      latest_error: null,
      correction: null,
    });
    const v1 = await portage.get(
      `/v1/data-import/account-transfer-status/${portage.supplier}/${encodeURIComponent('A/1 №7')}/`,
    );
    expect([v1.status, v1.body]).toEqual([
      200,
      { status: 'COMPLETED', platform_account_number: body.platform_identifier },
    ]);

    const [stored] = await portage.sql(
      `SELECT number, given_name, landline, payload::text FROM account JOIN customer ON account_id = account.id
       JOIN import_process_payload USING (process_id) WHERE number = $1`,
      [body.platform_identifier],
    );
    expect(stored).toMatchObject({
      number: body.platform_identifier,
      given_name: 'Maeve',
      landline: '+441212345678',
      payload: JSON.stringify(portage.account('A/1 №7', { external_identifier: 'own id/ü' })),
    });
  });

  it('answers 201 to a repeated POST with the same Idempotency-Key, also after the import', async () => {
    const key = { 'idempotency-key': `keyed-${backend}` };
    const post = async (body: object) => portage.post('/v2/data-import/accounts/', body, key);
    const keyed = portage.account('keyed', { unknown_field: 1 });
    const first = await Promise.all(Array.from({ length: 5 }, async () => post(keyed)));
    await portage.waitForAccount('keyed', 'PROCESSED');
    const later = await post(keyed);
    for (const { status, body, headers } of [...first, later])
      expect([status, body, headers['ignored-fields']]).toEqual([201, {}, 'unknown_field']);
    const replayed = first.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect([replayed.length, later.headers['idempotent-replayed']]).toEqual([4, 'true']);

    const other = await post(portage.account('keyed-differently'));
    expect([other.status, other.body.code]).toEqual([400, 'idempotency_key_reused']);
    const refused = await portage.schedule(keyed);
    expect(refused.body.non_field_errors.code).toBe('account_import_process_already_imported');
  });
});

describe('accounts that are refused or unknown', () => {
  const portage = SharedPortage.use(anyBackend());

  it('answers 404 for an account that was never posted (contract, "Read the status of an import")', async () => {
    const v2 = await portage.status('never');
    expect([v2.status, v2.body]).toEqual([404, { code: 'not_found', detail: expect.any(String) }]);
    const v1 = await portage.get(`/v1/data-import/account-transfer-status/${portage.supplier}/never/`);
    expect([v1.status, v1.body.code]).toEqual([404, 'not_found']);
  });

  it('reports every validation error with its path (contract, "Validate an account")', async () => {
    const faulty = portage.account(undefined, {
      customers: [{ landline: '01234' }, { family_name: 'x'.repeat(300), date_of_birth: '2021-02-30' }],
    });
    const validated = await portage.post('/v2/data-import/accounts/validate/', faulty);
    expect(validated.status).toBe(400);
    expect(validated.body).toMatchObject({ code: 'account_failed_validation', detail: expect.any(String) });
    expect(validated.body.errors).toEqual([
      { code: 'invalid_phone_number', attr: 'customers.0.landline', detail: expect.any(String) },
      { code: 'max_length', attr: 'customers.1.family_name', detail: expect.any(String) },
      { code: 'invalid', attr: 'customers.1.date_of_birth', detail: expect.any(String) },
    ]);
    const scheduled = await portage.schedule(faulty);
    expect([scheduled.status, scheduled.body]).toEqual([
      400,
      { code: 'import_process_failed_validation', detail: expect.any(String), domain: 'import_process' },
    ]);
    const good = await portage.post('/v2/data-import/accounts/validate', { payload: portage.account() });
    expect([good.status, good.body]).toEqual([200, {}]);
  });

  it('refuses accounts of a supplier that is paused, at both endpoints', async () => {
    await portage.operator('supplier', 'set-status', portage.supplier, 'Paused');
    const scheduled = await portage.schedule(portage.account());
    const validated = await portage.post('/v2/data-import/accounts/validate/', portage.account());
    await portage.operator('supplier', 'set-status', portage.supplier, 'Ongoing');
    expect([scheduled.status, scheduled.body]).toEqual([
      400,
      { code: 'import_supplier_migration_not_ongoing', detail: expect.any(String), domain: 'import_process' },
    ]);
    expect(validated.body.errors).toEqual([
      { code: 'import_supplier_migration_not_ongoing', attr: 'import_supplier', detail: expect.any(String) },
    ]);
    expect((await portage.schedule(portage.account())).status).toBe(201);
  });

  it.each([
    ['an array', '[1]'],
    ['text', '"hello"'],
    ['malformed JSON', '{"import_supplier": '],
    ['nothing', ''],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('refuses a body that is %s', async (_what, body) => {
    const { status, body: answer } = await portage.schedule(body as object);
    expect([status, answer]).toEqual([400, { code: 'parse_error', detail: expect.any(String) }]);
  });
});
