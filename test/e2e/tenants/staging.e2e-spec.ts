import { type Answer, anyBackend, SharedPortage, signIn, tomorrow } from '@portage/testing';

const V1 = '/v1/data-import';
const DRY_RUN = {
  detail: 'Account would successfully import. Rolled back due to Dry Run.',
  code: '400',
};

describe('the staging endpoints', () => {
  const portage = SharedPortage.use(anyBackend());

  beforeAll(async () => {
    await portage.operator('supplier', 'set', portage.supplier, '--creation-mode', 'staged');
  });

  const validate = async (account: object): Promise<Answer> =>
    portage.post(`${V1}/validate-account/`, account);
  const stage = async (account: object, headers = {}): Promise<Answer> =>
    portage.post(`${V1}/account-import-process/create-or-update/`, account, headers);
  const process = async (number: string, more: object = {}, headers = {}): Promise<Answer> =>
    portage.post(
      `${V1}/account-import-process/process/`,
      { import_supplier_code: portage.supplier, external_account_number: number, ...more },
      headers,
    );
  const v1Status = async (number: string): Promise<unknown> =>
    (await portage.get(`${V1}/account-transfer-status/${portage.supplier}/${number}/`)).body.status;
  const v2Status = async (number: string): Promise<unknown> => (await portage.status(number)).body.status;
  const invalid = (number: string) =>
    portage.account(number, {
      billing_address: { country: 'GB', postcode: 7 },
      customers: [{ family_name: 'Aldous' }, { family_name: 'Bell', email: 'nobody' }],
    });

  it('validate-account answers with the account after conversion and stores nothing', async () => {
    const account = portage.account('validated', {
      external_account_number: 'validated',
      shoe_size: { of: ['any', 'kind'] },
      billing_email: ' ',
      customers: [{ family_name: ' Aldous ', landline: '0121 234 5678', favourite: null }],
    });
    const answer = await validate(account);
    expect(answer.status).toBe(200);
    const { billing_email: _blank, ...rest } = account;
    expect(answer.body).toEqual({
      ...rest,
      customers: [{ family_name: 'Aldous', landline: '+441212345678', favourite: null }],
    });
    expect(answer.headers['ignored-fields']).toBe('customers.0.favourite, shoe_size');
    expect((await portage.status('validated')).status).toBe(404);
  });

  it('refuse an account with all its errors, as v2 does', async () => {
    const expected = (await portage.post('/v2/data-import/accounts/validate/', invalid('wrong'))).body;
    expect(expected.errors.length).toBeGreaterThan(1);
    for (const answer of [await validate(invalid('wrong')), await stage(invalid('wrong'))])
      expect([answer.status, answer.body]).toEqual([400, expected]);
    expect((await portage.status('wrong')).status).toBe(404);
  });

  it('refuse an account with a dictionary shaped like the payload, with v1_error_format: fields', async () => {
    const { errors } = (await validate(invalid('wrong'))).body as {
      errors: { attr: string; detail: string }[];
    };
    await portage.operator('supplier', 'set', portage.supplier, '--v1-error-format', 'fields');
    try {
      const answer = await stage(invalid('wrong'));
      expect(answer.status).toBe(400);
      const email = errors.find(({ attr }) => attr === 'customers.1.email')!;
      expect(answer.body).toMatchObject({ customers: [{}, { email: [email.detail] }] });
      expect(Object.keys(answer.body)).toEqual(['customers', 'billing_address']);
    } finally {
      await portage.operator('supplier', 'set', portage.supplier, '--v1-error-format', 'standard');
    }
  });

  it('create-or-update stages an account any number of times, and no job creates it', async () => {
    const accepted = { external_account_number: 'repeated', import_supplier_code: portage.supplier };
    const answers = [await stage(portage.account('repeated')), await stage(portage.account('repeated'))];
    answers.push(await stage(portage.account('repeated', { billing_name: 'Mrs B' })));
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const { body } of answers) expect(body).toEqual(accepted);
    expect([await v2Status('repeated'), await v1Status('repeated')]).toEqual(['PENDING', 'UNKNOWN']);
    const pending = (await portage.get(`${V1}/pending-account-import-processes/${portage.supplier}/`)).body;
    expect(pending).toContainEqual({
      external_account_number: 'repeated',
      platform_account_number: null,
      account_created_at: null,
    });
  });

  it('process creates a staged account at once, whatever the creation mode of its supplier', async () => {
    await stage(portage.account('created'));
    const { status, body } = await process('created');
    expect(status).toBe(201);
    expect(body).toEqual({
      external_account_number: 'created',
      platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/),
      account_number: body.platform_account_number,
    });
    expect([await v2Status('created'), await v1Status('created')]).toEqual(['PROCESSED', 'COMPLETED']);
    expect((await portage.status('created')).body.platform_identifier).toBe(body.platform_account_number);
  });

  it('all three answer for an imported account with its number', async () => {
    await stage(portage.account('imported'));
    const number = (await process('imported')).body.platform_account_number as string;
    const answers = [
      await validate(portage.account('imported')),
      await stage(portage.account('imported')),
      await process('imported'),
      await process('imported', { dry_run: true }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([
        400,
        {
          external_account_number: 'imported',
          platform_account_number: number,
          non_field_errors: [
            'The account import process with the account number imported has already been imported.',
          ],
        },
      ]);
  });

  it('a dry run of process finds nothing, answers 400, and leaves the account to be processed', async () => {
    await stage(portage.account('dry-run'));
    for (let run = 0; run < 2; run += 1) {
      const { status, body } = await process('dry-run', { dry_run: true });
      expect([status, body]).toEqual([400, DRY_RUN]);
      expect([await v2Status('dry-run'), await v1Status('dry-run')]).toEqual([
        'DRY_RUN_SUCCEEDED',
        'UNKNOWN',
      ]);
    }
    expect((await stage(portage.account('dry-run'))).status).toBe(200);
    expect((await process('dry-run')).status).toBe(201);
  });

  it('process answers with all errors that the account has by then, and it can be staged again', async () => {
    const references = [{ namespace: 'legacy', value: `R-${portage.supplier}` }];
    await stage(portage.account('second-owner', { references }));
    await stage(portage.account('first-owner', { references }));
    expect((await process('first-owner')).status).toBe(201);
    const { status, body } = await process('second-owner');
    expect([status, body.code]).toEqual([400, 'account_failed_validation']);
    expect(body.errors).toEqual([
      { attr: expect.stringMatching(/^references/), code: expect.any(String), detail: expect.any(String) },
    ]);
    expect(await v2Status('second-owner')).toBe('ERRORED');
    expect((await process('second-owner')).body.code).toBe('account_failed_validation');
    expect((await stage(portage.account('second-owner'))).status).toBe(200);
    expect((await process('second-owner')).status).toBe(201);
  });

  it('an account that v2 has scheduled is not staged while it is queued, and not processed', async () => {
    const scheduled = { payload: portage.account('by v2'), task_params: tomorrow() };
    expect((await portage.schedule(scheduled)).status).toBe(201);
    expect((await stage(portage.account('by v2'))).body).toMatchObject({
      code: 'import_process_in_progress',
    });
    expect((await process('by v2')).body).toMatchObject({ code: 'import_process_in_progress' });
    const path = `/v2/data-import/accounts/${portage.supplier}/by%20v2/cancel/`;
    expect((await portage.post(path, undefined)).status).toBe(200);
    expect((await process('by v2')).body).toMatchObject({ code: 'import_process_does_not_exist' });
    expect((await stage(portage.account('by v2'))).status).toBe(201);
    expect((await process('by v2')).status).toBe(201);
  });

  it('the team of an account is checked by the setting auto_allocate_operations_team', async () => {
    const allocate = async (value: string) =>
      portage.operator(
        'supplier',
        'set',
        portage.supplier,
        '--rule-setting',
        `auto_allocate_operations_team=${value}`,
      );
    await stage(portage.account('team'));
    expect((await process('team', { operations_team_name: 'North' })).body).toMatchObject({
      code: 'operations_team_provided_when_using_auto_allocation',
    });
    await allocate('false');
    try {
      expect((await process('team')).body).toMatchObject({ code: 'operations_team_should_be_provided' });
      expect((await stage(portage.account('team', { operations_team_name: 'South' }))).status).toBe(200);
      expect((await process('team', { dry_run: true })).body).toEqual(DRY_RUN);
      expect((await process('team', { operations_team_name: 'North' })).status).toBe(201);
      const { platform_identifier: number } = (await portage.status('team')).body;
      const shown = await portage.operator('account', 'show', number as string);
      expect(JSON.stringify(shown)).toContain('North');
      expect(JSON.stringify(shown)).not.toContain('South');
    } finally {
      await allocate('');
    }
  });

  it('a supplier that is not ongoing stages and processes nothing', async () => {
    await stage(portage.account('paused'));
    await portage.operator('supplier', 'set-status', portage.supplier, 'Paused');
    try {
      const account = portage.account('paused');
      for (const { status, body } of [await validate(account), await stage(account), await process('paused')])
        expect([status, body.code]).toEqual([400, 'import_supplier_migration_not_ongoing']);
    } finally {
      await portage.operator('supplier', 'set-status', portage.supplier, 'Ongoing');
    }
  });

  it('are audited with the API key that sent each request', async () => {
    await stage(portage.account('audited'));
    await process('audited');
    const viewer = await signIn(portage, 'viewer');
    const entries = (await viewer.get(`/audit?supplier=${portage.supplier}`)).body.items as {
      action: string;
      subject: string;
      actor: string;
    }[];
    const about = entries.filter(({ subject }) => subject === 'audited');
    expect(about.map(({ action }) => action)).toEqual(['account.process', 'account.stage']);
    for (const { actor } of about) expect(actor).toMatch(/^api-key:/);
  });
});
