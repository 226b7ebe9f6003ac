import { type OperatorClient, processId, SharedPortage, signIn, storeErrored, until } from '@portage/testing';
import { Client } from 'pg';

/** What the operator API has from the command line, and its bounds. */
const portage = SharedPortage.use('postgres');
let viewer: OperatorClient;
let operator: OperatorClient;
let admin: OperatorClient;

beforeAll(async () => {
  viewer = await signIn(portage, 'viewer');
  operator = await signIn(portage, 'operator');
  admin = await signIn(portage, 'admin');
});

const at = (path: string) => `/suppliers/${portage.supplier}${path}`;

async function auditOf(action: string): Promise<Record<string, unknown>[]> {
  const { body } = await viewer.get(`/audit?action=${action}&supplier=${portage.supplier}`);
  return body.items as Record<string, unknown>[];
}

it('a page whose statement takes more than 2 seconds is answered with 503 and the time after which to try again', async () => {
  // No other suite reads the minutes of this Portage.
  const limited = await SharedPortage.join('limited');
  const reader = await signIn(limited, 'viewer');
  const blocking = new Client({ connectionString: limited.databaseUrl });
  await blocking.connect();
  try {
    await blocking.query('BEGIN');
    await blocking.query('LOCK TABLE import_throughput_minute IN ACCESS EXCLUSIVE MODE');
    const start = performance.now();
    const { status, body, headers } = await reader.get(`/suppliers/${limited.supplier}`);
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(body.detail).toContain('more than 2 seconds');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const milliseconds = performance.now() - start;
    expect(milliseconds).toBeGreaterThan(1_900);
    expect(milliseconds).toBeLessThan(25_000);
  } finally {
    await blocking.end();
  }
  await until(
    async () => (await reader.get(`/suppliers/${limited.supplier}`)).status === 200,
    'The page is not answered after the lock.',
  );
  await limited.leave();
});

it('accounts are read by an operator with an entry in the audit, and erased by an admin who types the number', async () => {
  await portage.importAccount('WHOLE');
  const { body: found } = await viewer.get(at('/processes?text=WHOLE'));
  const number = String(found.items[0].platform_account_number);
  expect((await viewer.post(`/accounts/${number}/read`)).status).toBe(403);
  expect(await auditOf('account.read')).toEqual([]);
  const { body: account } = await operator.post(`/accounts/${number}/read`);
  expect(account).toEqual(await portage.operator('account', 'show', number));
  expect(await auditOf('account.read')).toMatchObject([
    { actor: `operator:${operator.name}`, subject: number, import_supplier: portage.supplier },
  ]);
  const path = `/accounts/${number}/erase`;
  const wrong = await admin.post(path, { confirm: 'A-00000000' });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'confirmation_required']);
  const { body: erased } = await admin.post(path, { confirm: number, keep_documents: true });
  expect(erased).toMatchObject({ platform_account_number: number, was_erased_before: false });
  expect((await admin.post(path, { confirm: number })).body.was_erased_before).toBe(true);
  expect(await auditOf('account.erase')).toMatchObject([{ actor: `operator:${admin.name}` }]);
  expect((await operator.post('/accounts/A-ffffffff/read')).status).toBe(404);
});

it('processes with an error are downloaded, by roles that may read payloads with their sentences, and erased by an admin who types the number', async () => {
  const detail = 'signed_at: 2031-02-03T09:00:00Z is in the future.';
  await storeErrored(portage, ['FAILED-1'], { code: 'invalid', detail, path: 'signed_at' });
  const id = await processId(portage, 'FAILED-1');
  for (const [client, sentence] of [
    [viewer, ''],
    [operator, detail],
  ] as const) {
    const { text, headers } = await client.get(at('/failed-accounts'));
    expect(headers['content-type']).toContain('text/csv');
    const [header, line = ''] = text.split('\r\n');
    expect(header).toBe(
      '"external_account_number","status","error_code","error_paths","error_detail","modified_at"',
    );
    expect(line.replace(/"20\d\d-[^"]*Z"$/, 'TIME')).toBe(
      `"FAILED-1","ERRORED","invalid","signed_at","${sentence}",TIME`,
    );
  }
  const path = at(`/processes/${id}/erase`);
  expect((await admin.post(path, { confirm: 'x' })).body.code).toBe('confirmation_required');
  expect((await admin.post(path, { confirm: 'FAILED-1' })).body).toEqual({
    external_account_number: 'FAILED-1',
    was_erased_before: false,
  });
  expect((await admin.post(path, { confirm: 'FAILED-1' })).body.was_erased_before).toBe(true);
  expect(await auditOf('process.erase')).toMatchObject([{ actor: `operator:${admin.name}` }]);
});

it('an imported account is taken back by an operator who types the number and gives a reason, unless something was added to it', async () => {
  for (const number of ['BACK-1', 'BACK-2']) {
    await portage.importAccount(number);
  }
  const path = at(`/processes/${await processId(portage, 'BACK-1')}/take-back`);
  const request = { confirm: 'BACK-1', reason: 'duplicate' };
  expect((await operator.post(path, { ...request, confirm: 'x' })).body.code).toBe('confirmation_required');
  expect((await operator.post(path, { ...request, reason: 'x' })).body.code).toBe('validation_error');
  expect((await operator.post(path, request)).body).toEqual({
    external_account_number: 'BACK-1',
    platform_account_number: expect.stringMatching(/^A-/),
  });
  expect((await operator.post(path, request)).body.platform_account_number).toBeNull();
  expect(await auditOf('account.take_back')).toMatchObject([
    { actor: `operator:${operator.name}`, subject: 'BACK-1', details: { reason: 'duplicate' } },
  ]);

  const noted = await portage.post('/v1/data-import/notes/create/', {
    ...portage.about('BACK-2'),
    notes: [{ body: 'Called.' }],
  });
  expect(noted.status).toBe(201);
  const { status, body } = await operator.post(
    at(`/processes/${await processId(portage, 'BACK-2')}/take-back`),
    { confirm: 'BACK-2', reason: 'other' },
  );
  expect([status, body.code]).toEqual([400, 'account_has_additions']);
  expect(body.detail).toContain('notes');
});

it('webhook endpoints are created, get another secret, and are deleted by an operator who types the id', async () => {
  const path = at('/webhooks');
  const refused = await operator.post(path, { url: 'http://hooks.example.com/', secret: 'x' });
  expect([refused.status, refused.body.code]).toEqual([400, 'validation_error']);
  const { status, body: created } = await operator.post(path, {
    url: 'https://hooks.example.com/portage',
    description: 'Billing',
  });
  expect([status, created]).toMatchObject([201, { description: 'Billing', status: 'UNVERIFIED' }]);
  const endpoint = `/webhooks/${created.id}`;
  const { body: rotated } = await operator.post(`${endpoint}/rotate-secret`);
  expect(rotated.secret).not.toBe(created.secret);
  await operator.post(`${endpoint}/disable`);
  expect((await viewer.get(`${endpoint}/attempts?limit=1`)).body).toMatchObject({ next_cursor: null });
  const wrong = await operator.change('DELETE', endpoint, { confirm: 'x' });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'confirmation_required']);
  expect((await operator.change('DELETE', endpoint, { confirm: created.id })).status).toBe(204);
  expect((await viewer.get(endpoint)).status).toBe(404);
  expect(await auditOf('webhook.create')).toMatchObject([{ actor: `operator:${operator.name}` }]);
});
