import {
  type OperatorClient,
  processId,
  sendBook,
  SharedPortage,
  signIn,
  storeErrored,
  until,
} from '@portage/testing';

/** The console's API on a running Portage. */
const portage = SharedPortage.use('postgres');
const other = SharedPortage.use('postgres');
let viewer: OperatorClient;
let operator: OperatorClient;
let admin: OperatorClient;
/** The accounts of the supplier with an error. */
let errored: string[];

beforeAll(async () => {
  viewer = await signIn(portage, 'viewer');
  operator = await signIn(portage, 'operator');
  admin = await signIn(portage, 'admin');
  const numbers = Array.from({ length: 5 }, (_, index) => `OK-${index}`);
  for (const number of numbers) await portage.schedule(portage.account(number));
  await other.schedule(other.account('OK-0'));
  await portage.waitFor('PROCESSED', numbers.length);
  errored = Array.from({ length: 30 }, (_, index) => `BAD-${String(index).padStart(2, '0')}`);
  await storeErrored(portage, errored, {
    code: 'invalid_email',
    detail: 'customers.0.email: "maeve@secret.example" is not an e-mail address.',
    path: 'customers.0.email',
    payload: { customers: [{ email: 'maeve@secret.example' }] },
  });
});

const at = (path = '') => `/suppliers/${portage.supplier}${path}`;

/** All items of a list, read page by page. */
async function all(path: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 50; page += 1) {
    const parameter: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await viewer.get(`${path}${parameter}`);
    expect(status).toBe(200);
    items.push(...(body.items as Record<string, unknown>[]));
    cursor = body.next_cursor as string | null;
    if (cursor === null) return items;
  }
  throw new Error('The list has no end.');
}

async function auditOf(action: string): Promise<Record<string, unknown>[]> {
  const { body } = await viewer.get(`/audit?action=${action}&supplier=${portage.supplier}`);
  return body.items as Record<string, unknown>[];
}

it('the operator API refuses each change to a role below the one that it requires', async () => {
  const routes = [
    ...portage.log('api').matchAll(/Mapped \{\/operator\/v1([^,]*), (POST|PUT|PATCH|DELETE)\} route/g),
  ].filter(([, route = '']) => !route.startsWith('/session'));
  const ofAdmins: string[] = [];
  for (const [, route = '', method = ''] of routes) {
    const url = route.replaceAll(/:\w+/g, '1');
    const { status, body } = await viewer.change(method, url, {});
    expect([method, route, status, body.code]).toEqual([method, route, 403, 'operator_role_required']);
    if ((await operator.change(method, url, {})).status === 403) ofAdmins.push(`${method} ${route}`);
  }
  expect(routes.length).toBeGreaterThan(25);
  expect(ofAdmins.toSorted()).toEqual([
    'DELETE /api-keys/:prefix',
    'DELETE /reference-lists/:list',
    'PATCH /instance-settings',
    'PATCH /operators/:name',
    'PATCH /suppliers/:code',
    'POST /accounts/:number/erase',
    'POST /operators',
    'POST /operators/:name/reset-password',
    'POST /organisations',
    'POST /organisations/:name/api-keys',
    'POST /reference-lists',
    'POST /suppliers',
    'POST /suppliers/:code/processes/:id/erase',
  ]);
});

describe('the list of processes', () => {
  it('has nothing of another supplier', async () => {
    const own = await all(at('/processes?limit=200'));
    const [foreign] = await all(`/suppliers/${other.supplier}/processes?limit=200`);
    expect(own.map(({ id }) => id)).not.toContain(foreign!['id']);
    expect((await viewer.get(at(`/processes/${String(foreign!['id'])}`))).status).toBe(404);
    expect((await operator.post(at(`/processes/${String(foreign!['id'])}/payload`))).status).toBe(404);
    const byNumber = await all(at(`/processes?text=${String(foreign!['platform_account_number'])}`));
    expect(byNumber).toEqual([]);
  });

  it.each(['limit=0', 'limit=201', 'status=Ready', 'cursor=nonsense', 'from=yesterday', 'submission=x'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await viewer.get(at(`/processes?${query}`));
      expect([status, body.code]).toEqual([400, 'validation_error']);
    },
  );
});

it('a process gives its payload to an operator only, with an entry in the audit', async () => {
  const [one] = await all(at('/processes?text=BAD-01'));
  const path = at(`/processes/${String(one!['id'])}/payload`);
  expect((await viewer.post(path)).status).toBe(403);
  expect(await auditOf('process.read-payload')).toEqual([]);
  const { body } = await operator.post(path);
  expect(body.payload.customers[0].email).toBe('maeve@secret.example');
  expect(await auditOf('process.read-payload')).toMatchObject([
    { actor: `operator:${operator.name}`, subject: 'BAD-01', import_supplier: portage.supplier },
  ]);
});

it('an account with an error and a warning shows code, path and masked value to each role, and the sentences to roles that may read payloads', async () => {
  const detail = 'The customer signed up on 1989-12-31.';
  await portage.sql(
    `UPDATE import_process SET warnings = $2 WHERE external_account_number = 'OK-0' AND supplier_id =
       (SELECT id FROM import_supplier WHERE code = $1)`,
    [portage.supplier, JSON.stringify([{ code: 'date', attr: 'date_of_sale', detail }])],
  );
  const page = async (client: OperatorClient, number: string) =>
    (await client.get(at(`/processes/${await processId(portage, number)}`))).body;
  const fields = [
    {
      path: 'customers.0.email',
      code: 'invalid_email',
      value_masked: 'xxxxx@xxxxxx.xxxxxxx (text, 20 characters)',
    },
  ];
  const sentence = 'customers.0.email: "maeve@secret.example" is not an e-mail address.';
  for (const [client, isShown] of [
    [viewer, false],
    [operator, true],
    [admin, true],
  ] as const) {
    expect((await page(client, 'BAD-01')).error).toEqual({
      code: 'invalid_email',
      detail: isShown ? sentence : null,
      fields,
    });
    expect((await page(client, 'OK-0')).warnings).toEqual([
      { code: 'date', attr: 'date_of_sale', detail: isShown ? detail : null },
    ]);
  }
});

describe('an action on many processes', () => {
  const selection = { status: 'ERRORED', error_code: 'invalid_email' };

  it.each([
    [{ action: 'erase', selection }],
    [{ action: 'retry' }],
    [{ action: 'retry', selection: { state: 'ERRORED' } }],
    [{ action: 'retry', selection: { external_account_numbers: [] } }],
  ])('refuses %j', async (body) => {
    const answer = await operator.post(at('/process-actions/preview'), body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_error']);
  });
});

describe('suppliers, organisations and keys', () => {
  it('are created, set and revoked by an admin, in the name of the admin', async () => {
    const name = `New ${portage.supplier} Ltd`;
    const code = `${portage.supplier}-NEW`;
    expect((await admin.post('/organisations', { name })).status).toBe(201);
    const created = await admin.post('/suppliers', { code, organisation: name, creation_mode: 'staged' });
    expect([created.status, created.body]).toMatchObject([
      201,
      { code, organisation: name, creation_mode: 'staged' },
    ]);
    const set = await admin.change('PATCH', `/suppliers/${code}`, {
      currency: 'EUR',
      retain_payload_days: 30,
    });
    expect(set.body).toMatchObject({ currency: 'EUR', retain_payload_days: 30, creation_mode: 'staged' });
    const refused = await admin.change('PATCH', `/suppliers/${code}`, { currency: 'Taler' });
    expect([refused.status, refused.body.code]).toEqual([400, 'operation_refused']);
    expect(refused.body.detail).toMatch(/^currency must be/);
    const keys = `/organisations/${encodeURIComponent(name)}/api-keys`;
    const { body: issued } = await admin.post(keys);
    expect(issued.api_key).toContain(issued.prefix);
    expect((await admin.change('DELETE', `/api-keys/${issued.prefix}`)).status).toBe(204);
    expect((await admin.change('DELETE', `/api-keys/${issued.prefix}`)).status).toBe(404);
    const { body: listed, text } = await viewer.get(keys);
    expect(listed.items).toMatchObject([{ prefix: issued.prefix, revoked_at: expect.any(String) }]);
    expect(text).not.toContain(issued.api_key);
    const { body: audit } = await viewer.get(`/audit?actor=operator:${admin.name}&limit=200`);
    const actions = (audit.items as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining([
        'organisation.create',
        'supplier.create',
        'supplier.set',
        'api-key.issue',
        'api-key.revoke',
      ]),
    );
  });

  it('are listed in pages', async () => {
    const codes = (await all('/suppliers?limit=2')).map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining([portage.supplier, other.supplier]));
    expect(new Set(codes).size).toBe(codes.length);
    const { body } = await viewer.get('/organisations');
    expect(body.items).toContainEqual({ name: portage.organisation, created_at: expect.any(String) });
  });
});

describe('what waits for an operator', () => {
  const items = async () =>
    ((await viewer.get('/action-items')).body.items as Record<string, unknown>[]).filter(
      (item) => item['import_supplier'] === other.supplier,
    );

  it('is listed, with the lines that were refused', async () => {
    const invalid = { customers: [{ family_name: 'Aldous', landline: 'maeve@secret.example' }] };
    const id = await sendBook(other, [other.account('REFUSED-1', invalid)], { reference: 'book' });
    await until(async () => (await items()).length === 1, 'No line waits for the operator.');
    expect(await items()).toMatchObject([{ kind: 'lines_refused', count: 1 }]);
    const filter = `submission=${id}&path=customers.0.landline`;
    const { body } = await viewer.get(`/suppliers/${other.supplier}/refused-lines?${filter}`);
    expect(body.items).toMatchObject([
      { submission_id: id, reference: 'book', upload: 1, line: 1, external_account_number: 'REFUSED-1' },
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it.each(['refused-lines', 'payment-instructions', 'documents'])(
    'has nothing of another supplier in its %s, and refuses a filter that is not valid',
    async (list) => {
      expect((await viewer.get(at(`/${list}`))).body).toEqual({ items: [], next_cursor: null });
      for (const query of ['limit=0', 'cursor=x', 'outcome=x&state=x&submission=x'])
        expect((await viewer.get(at(`/${list}?${query}`))).status).toBe(400);
      expect((await viewer.get(`/suppliers/UNKNOWN/${list}`)).status).toBe(404);
    },
  );
});

it('the audit refuses an unknown action', async () => {
  expect((await viewer.get('/audit?action=nothing')).status).toBe(400);
});

it('submissions are read, aborted with a confirmation, and rolled back', async () => {
  const { body: opened } = await portage.post('/v2/data-import/submissions/', {
    import_supplier: portage.supplier,
    reference: `book-${portage.supplier}`,
  });
  const path = `/submissions/${opened.id}`;
  expect((await viewer.get(path)).body).toMatchObject({
    id: opened.id,
    status: 'OPEN',
    counts: { received: 0 },
  });
  const ofSupplier = `/submissions?limit=1&supplier=${portage.supplier}`;
  expect(await all(ofSupplier)).toMatchObject([
    { id: opened.id, is_dry_run: false, counts: { received: 0 }, reconciled: null },
  ]);
  expect((await viewer.get('/submissions?limit=200')).body.items).toContainEqual(
    expect.objectContaining({ id: opened.id, import_supplier: portage.supplier }),
  );
  expect((await viewer.get('/submissions?supplier=UNKNOWN')).status).toBe(404);
  // An instance keeps its overview for a second.
  await until(
    async () =>
      (await viewer.get('/overview')).body.submissions_in_progress.some(
        ({ id }: { id: string }) => id === opened.id,
      ),
    'the overview does not have the submission',
  );
  expect((await viewer.get(`${path}/reconciliation`)).body.reconciled).toBe(false);
  expect((await viewer.get(`${path}/results`)).text).toContain('"upload","line"');
  expect((await viewer.get(`${path}/results?format=ndjson`)).text).toBe('');
  expect((await operator.post(`${path}/abort`, { confirm: 'x' })).body.code).toBe('confirmation_required');
  expect((await operator.post(`${path}/rollback`, { dry_run: true })).body.code).toBe('operation_refused');
  const aborted = await operator.post(`${path}/abort`, { confirm: opened.id });
  expect(aborted.body).toMatchObject({ cancelled: 0, remaining: false, submission: { status: 'ABORTED' } });
  // The maintenance compares it with its control totals.
  await until(
    async () => (await all(ofSupplier))[0]!.reconciled === false,
    'the list does not say that the aborted submission does not reconcile',
  );
  const rolledBack = await operator.post(`${path}/rollback`, { dry_run: false, confirm: opened.id });
  expect(rolledBack.body).toMatchObject({ dry_run: false, rolled_back: 0, remaining: false });
  expect(await auditOf('submission.abort')).toMatchObject([{ actor: `operator:${operator.name}` }]);
  expect((await viewer.get('/submissions/999999999')).status).toBe(404);
});
