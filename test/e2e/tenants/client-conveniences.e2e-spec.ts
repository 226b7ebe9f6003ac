import { gunzipSync, gzipSync } from 'node:zlib';
import { insertProcesses, SharedPortage, signIn, tomorrow } from '@portage/testing';
import { exchange } from '@portage/testing/exchange';

const portage = SharedPortage.use('postgres');
const other = SharedPortage.use('postgres');

const scheduleForTomorrow = async (number: string) =>
  portage.schedule({ payload: portage.account(number), task_params: tomorrow() });

/** Reads an answer with its bytes. */
async function readRaw(path: string, acceptEncoding: string) {
  const { headers, bytes } = await exchange('GET', portage.baseUrl + path, {
    headers: { authorization: `Token ${portage.token}`, 'accept-encoding': acceptEncoding },
  });
  return { encoding: headers['content-encoding'], vary: headers['vary'], body: bytes };
}

describe('a supplier can cancel an import', () => {
  const cancel = async (number: string, client = portage) =>
    client.post(
      `/v2/data-import/accounts/${portage.supplier}/${encodeURIComponent(number)}/cancel/`,
      undefined,
    );

  it('an import that has not begun is cancelled any number of times, and its account scheduled again', async () => {
    await scheduleForTomorrow('to cancel');
    for (let time = 0; time < 2; time += 1) {
      const answer = await cancel('to cancel');
      expect([answer.status, answer.body]).toEqual([200, (await portage.status('to cancel')).body]);
      expect(answer.body.status).toBe('CANCELLED');
    }
    await portage.importAccount('to cancel');
    const viewer = await signIn(portage, 'viewer');
    const entries = (await viewer.get(`/audit?supplier=${portage.supplier}`)).body.items as {
      action: string;
      actor: string;
    }[];
    expect(entries.filter(({ action }) => action === 'process.cancel')).toMatchObject([
      { subject: 'to cancel', actor: expect.stringMatching(/^api-key:/) },
    ]);
  });

  it('an import that has ended is not cancelled', async () => {
    await portage.importAccount('done');
    const imported = await cancel('done');
    expect([imported.status, imported.body]).toEqual([
      400,
      {
        detail: expect.any(String),
        code: 'account_import_process_already_imported',
        non_field_errors: { code: 'account_import_process_already_imported', detail: expect.any(String) },
        account_id: (await portage.status('done')).body.platform_identifier,
      },
    ]);
    await portage.schedule({ payload: portage.account('dry-run'), task_params: { is_dry_run: true } });
    await portage.waitForAccount('dry-run', 'DRY_RUN_SUCCEEDED');
    expect((await cancel('dry-run')).body).toMatchObject({ code: 'import_process_not_pending' });
  });
});

describe('the lists', () => {
  const list = async (query: string, kind = 'all') =>
    portage.get(`/v1/data-import/${kind}-account-import-processes/${portage.supplier}/${query}`);
  const numbers = (body: { external_account_number: string }[]) =>
    body.map((item) => item.external_account_number);

  beforeAll(async () => {
    for (const status of ['ERRORED', 'DRY_RUN_ERRORED', 'CANCELLED'])
      await portage.sql(
        insertProcesses('import_supplier, generate_series(1, 3) AS n WHERE code = $1 ORDER BY n', {
          supplier_id: 'id',
          external_account_number: `'${status}' || n`,
          status: `'${status}'`,
          error_code: status === 'CANCELLED' ? 'NULL' : `'a_code'`,
          error_detail: status === 'CANCELLED' ? 'NULL' : `'A detail.'`,
        }),
        [portage.supplier],
      );
  });

  it('have the items of the statuses that are asked for, with status and error on request', async () => {
    const answer = await list('?status=ERRORED&status=DRY_RUN_ERRORED&include=status,error');
    const expected = ['ERRORED', 'DRY_RUN_ERRORED'].flatMap((status) =>
      [1, 2, 3].map((row) => ({
        external_account_number: `${status}${row}`,
        platform_account_number: null,
        account_created_at: null,
        status,
        error: { code: 'a_code', detail: 'A detail.', domain: 'import_process' },
      })),
    );
    expect([answer.status, answer.body]).toEqual([200, expected]);
    expect(Object.keys((await list('?status=ERRORED')).body[0] as object)).toEqual([
      'external_account_number',
      'platform_account_number',
      'account_created_at',
    ]);
    expect(numbers((await list('?status=CANCELLED', 'pending')).body as [])).toContain('CANCELLED1');
    expect(numbers((await list('')).body as [])).not.toContain('CANCELLED1');
    expect((await list('?status=ERRORED', 'imported')).body).toEqual([]);
    const { link } = (await list('?limit=2&status=ERRORED&status=DRY_RUN_ERRORED&include=error')).headers;
    expect(link).toMatch(/\?.*\bstatus=ERRORED&.*status=DRY_RUN_ERRORED.*include=error/);
  });

  it.each(['', '?limit=100&include=status,error'])(
    'are compressed for clients that accept gzip%s',
    async (query) => {
      await portage.sql(
        `${insertProcesses('import_supplier, generate_series(1, 5000) AS n WHERE code = $1', {
          supplier_id: 'id',
          external_account_number: `'many-' || n`,
          status: `'DRY_RUN_SUCCEEDED'`,
        })} ON CONFLICT DO NOTHING`,
        [portage.supplier],
      );
      const path = `/v1/data-import/all-account-import-processes/${portage.supplier}/${query}`;
      const [plain, packed] = [await readRaw(path, 'identity'), await readRaw(path, 'br, gzip;q=0.8')];
      expect([plain.encoding, packed.encoding]).toEqual([undefined, 'gzip']);
      expect([plain.vary, packed.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
      expect(packed.body.length).toBeLessThan(plain.body.length / 5);
    },
  );
});

describe('a supplier can read', () => {
  it('its documents that are missing or refused', async () => {
    const list = async (query = '', client = portage) =>
      client.get(`/v2/data-import/documents/${portage.supplier}/${query}`);
    expect((await list()).text).toBe('[]');
    for (const number of ['paper-2', 'paper-1']) await portage.schedule(portage.account(number));
    for (const number of ['paper-2', 'paper-1']) await portage.waitForAccount(number, 'PROCESSED');
    await portage.sql(
      `INSERT INTO document (account_id, path, kind, state, error_code, inspected_at)
       SELECT account.id, state || '.pdf', 'note', state, lower(state), '2026-01-02 03:04:05.678901+00'
       FROM account JOIN import_supplier supplier ON supplier.id = supplier_id,
         unnest(ARRAY['MISSING', 'REFUSED']) AS state
       WHERE code = $1 AND external_account_number LIKE 'paper-%'`,
      [portage.supplier],
    );
    const { status, body } = await list();
    expect([status, body.length]).toEqual([200, 4]);
    expect(body[0]).toEqual({
      external_account_number: 'paper-1',
      platform_account_number: (await portage.status('paper-1')).body.platform_identifier,
      document_path: 'MISSING.pdf',
      kind: 'note',
      state: 'MISSING',
      error_code: 'missing',
      inspected_at: '2026-01-02T03:04:05.678901+00:00',
    });
    const found = async (query: string) =>
      (await list(query)).body.map((item: { external_account_number: string; state: string }) => [
        item.external_account_number,
        item.state,
      ]);
    expect(await found('?state=REFUSED')).toEqual([
      ['paper-1', 'REFUSED'],
      ['paper-2', 'REFUSED'],
    ]);
    expect(await found('?state=MISSING&state=REFUSED')).toHaveLength(4);
    expect((await list('?state=STORED')).body.errors).toMatchObject([
      { attr: 'state', code: 'invalid_choice' },
    ]);
    expect((await list('', other)).status).toBe(404);
    const pages: string[][] = [];
    let query = '?limit=1&state=MISSING&state=REFUSED';
    for (let link: string | undefined = query; link !== undefined;) {
      const { body: items, headers } = await list(query);
      pages.push(
        items.map((item: Record<string, string>) => `${item['external_account_number']} ${item['state']}`),
      );
      link = headers['link'] as string | undefined;
      query = /^<[^>?]*(\?[^>]*)>; rel="next"$/.exec(link ?? '')?.[1] ?? '';
    }
    expect(pages).toEqual([
      ['paper-1 MISSING'],
      ['paper-2 MISSING'],
      ['paper-1 REFUSED'],
      ['paper-2 REFUSED'],
    ]);
    const all = await list('?limit=10');
    expect([all.body.length, all.headers['link']]).toEqual([4, undefined]);
    for (const [wrong, attr] of [
      ['?limit=0', 'limit'],
      ['?after=x', 'after'],
      [`?state=REFUSED&after=${Buffer.from('["MISSING","paper-1","1"]').toString('base64url')}`, 'after'],
    ])
      expect((await list(wrong)).body.errors).toMatchObject([{ attr }]);
  });

  it('the suppliers of its organisation, with their profiles, and no others', async () => {
    await portage.operator(
      ...['supplier', 'create', `${portage.supplier} GB`, '--organisation', portage.organisation],
      ...['--profile', 'gb-energy'],
    );
    const { status, body } = await portage.get('/v2/data-import/suppliers/');
    expect([status, body]).toMatchObject([
      200,
      [
        { code: portage.supplier, profile: 'core', status: 'Ongoing', currency: 'GBP' },
        { code: `${portage.supplier} GB`, profile: 'gb-energy' },
      ],
    ]);
    expect(body).toHaveLength(2);
    expect((await other.get('/v2/data-import/suppliers')).body).toMatchObject([{ code: other.supplier }]);
  });

  it('the catalogue of fields, rules and error codes, with a correction for each code', async () => {
    const { status, body } = await portage.get('/v2/data-import/error-codes/');
    expect(status).toBe(200);
    expect(body.fields.length).toBeGreaterThan(600);
    expect(body.rules.length).toBeGreaterThan(260);
    for (const entry of [...body.error_codes, ...body.field_codes, ...body.rules])
      expect(entry).toMatchObject({
        code: expect.stringMatching(/./),
        explanation: expect.stringMatching(/\.\)?$/),
        fix: expect.stringMatching(/\.$/),
      });
    const codes = new Set(body.field_codes.map(({ code }: { code: string }) => code));
    for (const field of body.fields)
      for (const code of field.error_codes)
        expect([field.field, code, codes.has(code)]).toEqual([field.field, code, true]);
    const names = new Set(body.error_codes.map(({ code }: { code: string }) => code));
    for (const code of ['throttled', 'instruction_not_found', 'vendor_timeout', '400'])
      expect(names).toContain(code);
  });
});

describe('nothing is ignored silently', () => {
  it('Ignored-Parameters names query parameters that do not exist', async () => {
    const path = `/v1/data-import/all-account-import-processes/${portage.supplier}/`;
    const { headers } = await portage.get(`${path}?limit=1&stauts=ERRORED&größe=1&limit_=2`);
    expect(headers['ignored-parameters']).toBe('stauts, gr%C3%B6%C3%9Fe, limit_');
    expect((await portage.get(`${path}?limit=1`)).headers['ignored-parameters']).toBeUndefined();
    const refused = await portage.get(`/v2/data-import/accounts/${portage.supplier}/unknown/?verbose=1`);
    expect([refused.status, refused.headers['ignored-parameters']]).toEqual([404, 'verbose']);
    const added = await portage.post(
      '/v1/data-import/transactions/create/?force=1&check_previously_added=true',
      {},
    );
    // Requests that write refuse them.
    expect([added.status, added.body.code, added.body.errors]).toEqual([
      400,
      'misplaced_parameter',
      [expect.objectContaining({ attr: 'force' })],
    ]);
  });

  it('a field with a wrong name is reported with the documented one', async () => {
    const account = portage.account('misspelt', {
      customer: [],
      customers: [{ family_name: 'A', e_mail: 'a@b.co' }],
    });
    const { headers } = await portage.post('/v2/data-import/accounts/validate/', account);
    expect(headers).toMatchObject({
      'ignored-fields': 'customers.0.e_mail, customer',
      'ignored-fields-suggestions': 'customers.0.e_mail=email, customer=customers',
    });
  });
});

describe('a body with Content-Encoding: gzip', () => {
  const validate = async (body: Buffer, headers: Record<string, string> = {}) =>
    portage.post('/v2/data-import/accounts/validate/', body, { 'content-encoding': 'gzip', ...headers });

  it.each(['gzip', 'x-gzip', 'GZIP'])(
    'is read as the JSON that it unpacks to, with the encoding %s',
    async (encoding) => {
      const account = portage.account('packed', { customers: [{ family_name: 'A', landline: '01234' }] });
      const packed = await validate(gzipSync(JSON.stringify(account)), { 'content-encoding': encoding });
      const plain = await portage.post('/v2/data-import/accounts/validate/', account);
      expect([packed.status, packed.body]).toEqual([400, plain.body]);
      expect(packed.body.errors).toMatchObject([{ code: 'invalid_phone_number' }]);
    },
  );

  it.each([
    ['not gzip', Buffer.from('{}')],
    ['cut off', gzipSync('{"import_supplier": "X"}').subarray(0, 20)],
    ['not JSON', gzipSync('{')],
    ['empty', gzipSync('')],
  ])('a body that is %s is a parse error', async (_what, body) => {
    const answer = await validate(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'parse_error']);
  });
});
