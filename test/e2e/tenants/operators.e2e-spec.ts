import {
  type Answer,
  newClientAddress,
  OPERATOR_PASSWORD,
  type OperatorClient,
  SharedPortage,
  signIn,
  storeOperator,
} from '@portage/testing';

const SESSION = '/operator/v1/session';
const OPERATORS = '/operator/v1/operators';
const BOARD = '/queues/api/queues';
const ANONYMOUS = { authorization: undefined };

const portage = SharedPortage.use('limited');
let viewer: OperatorClient;
let admin: OperatorClient;

const newAddress = () => ({ 'x-forwarded-for': newClientAddress() });

beforeAll(async () => {
  [viewer, admin] = await Promise.all([
    signIn(portage, 'viewer', newAddress()),
    signIn(portage, 'admin', newAddress()),
  ]);
});

const send = async (
  method: string,
  path: string,
  headers: Record<string, string | undefined>,
  body?: object,
): Promise<Answer> => portage.send(method, path, { headers, ...(body && { body }) });

const outcome = ({ status, body }: Answer) => [status, body?.code];

async function attempt(name: string, password: string, headers: object = newAddress()): Promise<Answer> {
  return portage.post(SESSION, { name, password }, { ...ANONYMOUS, ...headers });
}

describe('the session of an operator', () => {
  it('is a cookie that scripts and other sites cannot use, and which only this machine sends without TLS', async () => {
    const name = await storeOperator(portage, 'viewer');
    const onMachine = await attempt(name, OPERATOR_PASSWORD);
    expect(onMachine.headers['set-cookie']).toEqual([
      expect.stringMatching(/^portage_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(onMachine.headers['cache-control']).toBe('no-store');
    expect(onMachine.text).not.toContain(/=([\w-]{43})/.exec(String(onMachine.headers['set-cookie']))![1]);
    for (const headers of [
      { host: 'portage.example.com', 'x-forwarded-proto': 'https' },
      { host: 'portage.example.com' },
      { 'x-forwarded-proto': 'https' },
    ])
      expect(
        (await attempt(name, OPERATOR_PASSWORD, { ...newAddress(), ...headers })).headers['set-cookie'],
      ).toEqual([
        expect.stringMatching(
          /^__Host-portage_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
        ),
      ]);
  });

  it('shows its operator and ends with the logout, which makes the browser forget the cookie', async () => {
    const { name, headers } = await signIn(portage, 'operator', newAddress());
    const shown = await send('GET', SESSION, headers);
    expect(shown.body).toEqual({
      operator: { name, role: 'operator', has_totp: false, must_change_password: false },
      expires_at: expect.any(String),
      idle_expires_at: expect.any(String),
    });
    const ended = await send('DELETE', SESSION, headers);
    expect([ended.status, ended.headers['set-cookie']]).toEqual([
      204,
      ['portage_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'],
    ]);
    for (const path of [SESSION, BOARD])
      expect(outcome(await send('GET', path, headers))).toEqual([401, 'operator_session_required']);
  });

  it.each<[string, () => Record<string, string | undefined>]>([
    ['no cookie', () => ANONYMOUS],
    ['a token of a supplier', () => ({ authorization: `Token ${portage.token}` })],
    ['a token of a supplier as cookie', () => ({ ...ANONYMOUS, cookie: `portage_session=${portage.token}` })],
    ['an unknown token', () => ({ ...ANONYMOUS, cookie: `portage_session=${'x'.repeat(43)}` })],
    [
      'the cookie under the name for TLS',
      () => ({ ...ANONYMOUS, cookie: admin.headers.cookie.replace('portage', '__Host-portage') }),
    ],
  ])('is required: not %s', async (_what, headers) => {
    for (const path of [
      SESSION,
      '/operator/v1/overview',
      OPERATORS,
      `${OPERATORS}/`,
      BOARD,
      '/queues/',
      '/%71ueues/',
      '/%6fperator/v1/operators',
    ]) {
      const answer = await send('GET', path, headers());
      expect([path, ...outcome(answer)]).toEqual([path, 401, 'operator_session_required']);
      expect(answer.headers['www-authenticate']).toBe('Session');
    }
  });

  it('opens nothing of the suppliers', async () => {
    for (const path of ['/v1/data-import/documents/', `/v2/data-import/suppliers/${portage.supplier}/`])
      expect((await send('GET', path, admin.headers)).status).toBe(401);
  });
});

describe('a login', () => {
  it.each([
    [{}, ['name', 'password']],
    [{ name: 1, password: OPERATOR_PASSWORD }, ['name']],
    [{ name: 'ada', password: OPERATOR_PASSWORD, role: 'admin' }, ['role']],
  ])('a login with %j is not valid', async (body, attrs) => {
    const answer = await portage.post(SESSION, body, { ...ANONYMOUS, ...newAddress() });
    expect(outcome(answer)).toEqual([400, 'validation_error']);
    expect(answer.body.errors.map(({ attr }: { attr: string }) => attr)).toEqual(attrs);
  });

  it('an operator with a one-time password can only choose another one', async () => {
    const name = `one-time-${Date.now()}`;
    const created = await send('POST', OPERATORS, admin.headers, { name, role: 'admin' });
    expect([created.status, created.body.operator.must_change_password]).toEqual([201, true]);
    const oneTime = created.body.one_time_password as string;
    const answer = await attempt(name, oneTime);
    const headers = {
      ...ANONYMOUS,
      cookie: String(answer.headers['set-cookie']).split(';')[0],
    };
    for (const path of [OPERATORS, BOARD])
      expect(outcome(await send('GET', path, headers))).toEqual([403, 'password_change_required']);
    const change = { current_password: oneTime, new_password: 'another horse battery' };
    expect((await send('POST', `${SESSION}/password`, { ...headers, ...newAddress() }, change)).status).toBe(
      204,
    );
    expect((await send('GET', OPERATORS, headers)).status).toBe(200);
    expect((await attempt(name, oneTime)).status).toBe(401);
  });
});

describe('a change', () => {
  it.each<[string, () => Record<string, string | undefined>]>([
    ['from a page of another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['from another host of the same site', () => ({ 'sec-fetch-site': 'same-site' })],
    ['from another origin', () => ({ origin: 'https://other.example' })],
    ['from a page without an origin', () => ({ origin: 'null' })],
  ])('%s is refused', async (_what, headers) => {
    const body = { name: 'forged', role: 'admin' };
    const answer = await send('POST', OPERATORS, { ...admin.headers, ...headers() }, body);
    expect(outcome(answer)).toEqual([403, 'cross_site_request']);
    expect(await portage.sql(`SELECT 1 FROM operator WHERE name = 'forged'`)).toEqual([]);
  });

  it('a login that another site sends is refused, so that an operator does not work in the session of another', async () => {
    const name = await storeOperator(portage, 'viewer');
    const answer = await attempt(name, OPERATOR_PASSWORD, {
      ...newAddress(),
      'sec-fetch-site': 'cross-site',
    });
    expect(outcome(answer)).toEqual([403, 'cross_site_request']);
  });
});

it('operators are created, listed, changed and reset from the command line', async () => {
  const name = `cli-${Date.now()}`;
  const created = await portage.operator('operator', 'create', name, '--role', 'viewer');
  expect(created).toMatchObject({
    operator: { name, role: 'viewer' },
    one_time_password: expect.any(String),
  });
  expect(await portage.operator('operator', 'set', name, '--role', 'operator')).toMatchObject({
    role: 'operator',
  });
  expect(await portage.operator('operator', 'set', name, '--disable')).toMatchObject({ is_disabled: true });
  expect(await portage.operator('operator', 'set', name, '--enable')).toMatchObject({ is_disabled: false });
  const reset = await portage.operator('operator', 'reset-password', name);
  expect(reset.one_time_password).not.toBe(created.one_time_password);
  const listed = (await portage.operator('operator', 'list')) as { name: string }[];
  expect(listed.map((one) => one.name)).toContain(name);
  expect(JSON.stringify(listed)).not.toMatch(/scrypt|hash/);
  expect((await portage.cli('operator', 'set', name, '--role', 'root')).status).toBe(1);
});

it('Bull Board sends a browser without a session to the login, and answers anything else with 401', async () => {
  const page = await send('GET', '/queues/queue/emails?status=failed', {
    ...ANONYMOUS,
    accept: 'text/html,*/*',
  });
  expect([page.status, page.headers['location']]).toEqual([
    302,
    '/console/login?next=%2Fqueues%2Fqueue%2Femails%3Fstatus%3Dfailed',
  ]);
  expect(outcome(await send('GET', BOARD, ANONYMOUS))).toEqual([401, 'operator_session_required']);
  expect((await send('GET', '/queues', { ...viewer.headers, accept: 'text/html' })).status).toBe(200);
});
