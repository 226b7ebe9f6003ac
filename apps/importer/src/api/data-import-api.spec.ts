import { FakeService, issued, type Received, type Reply } from '../../test/fake-service';
import { systemClock } from '../clock';
import { AccessToken } from './access-token';
import { AccessLost, AuthorizedRequests } from './authorized-requests';
import { type Patience } from './back-off';
import { DataImportApi } from './data-import-api';
import { Retrying, Unreachable } from './retrying';
import { TokenEndpoint } from './token-endpoint';
import { Transport } from './transport';

const SCHEDULE = '/v2/data-import/accounts/';
const VALIDATE = '/v2/data-import/accounts/validate/';
const TOKEN = '/v1/graphql/';
const QUICK: Patience = { baseMs: 5, capMs: 20, attempts: 4, forMs: 5000 };

let service: FakeService;
afterEach(() => service.stop());

/** A client of a service that gives tokens and answers everything else as `answer` says. */
async function clientOf(
  answer: (request: Received) => Reply,
  { stop = new AbortController().signal, token = () => issued('token'), basePath = '' } = {},
): Promise<DataImportApi> {
  service = await FakeService.start((request) => (request.path.endsWith(TOKEN) ? token() : answer(request)));
  const transport = new Transport(new URL(basePath, service.url), 200);
  const retrying = new Retrying(QUICK, stop, systemClock, Math.random);
  const endpoint = new TokenEndpoint(transport, retrying, systemClock);
  const accessToken = new AccessToken('the-key', endpoint.obtain.bind(endpoint), systemClock);
  return new DataImportApi(new AuthorizedRequests(transport, retrying, accessToken));
}

const inputOf = (body: string): unknown =>
  (JSON.parse(body) as { variables: { input: unknown } }).variables.input;
const schedule = (api: DataImportApi) => api.schedule('{"a":1}', () => '{"payload":{"a":1}}');

describe('handing an account over', () => {
  it('sends the account as it stands, with the token', async () => {
    const api = await clientOf(() => ({ status: 201 }));
    expect(await schedule(api)).toEqual({ kind: 'accepted' });
    expect(service.to('POST', SCHEDULE)).toMatchObject([{ authorization: 'Token token', body: '{"a":1}' }]);
  });

  it('keeps the path of the base URL', async () => {
    const api = await clientOf(() => ({ status: 201 }), { basePath: 'platform' });
    await schedule(api);
    expect(service.to('POST', `/platform${SCHEDULE}`)).toHaveLength(1);
    expect(service.to('POST', `/platform${TOKEN}`)).toHaveLength(1);
  });

  it('knows an account that is already imported', async () => {
    const code = 'account_import_process_already_imported';
    const api = await clientOf(() => ({
      status: 400,
      body: { non_field_errors: { detail: 'Imported.', code }, account_id: 'A-00000001' },
    }));
    expect(await schedule(api)).toEqual({ kind: 'already-imported' });
  });

  it('asks the validate endpoint for every error of a refused account', async () => {
    const errors = [
      { detail: 'Not a number.', code: 'invalid_phone_number', attr: 'customers.0.landline' },
      { detail: 'Needed.', code: 'required', attr: 'external_account_number' },
    ];
    const api = await clientOf(({ path }) =>
      path === VALIDATE
        ? { status: 400, body: { code: 'account_failed_validation', detail: '', errors } }
        : { status: 400, body: { code: 'import_process_failed_validation', detail: 'Invalid.' } },
    );
    expect(await schedule(api)).toEqual({ kind: 'refused', errors });
    expect(service.to('POST', VALIDATE)).toMatchObject([{ body: '{"payload":{"a":1}}' }]);
  });

  it('keeps the refusal when its details cannot be had', async () => {
    const body = { code: 'import_process_failed_validation', detail: 'Invalid.' };
    const api = await clientOf(({ path }) => (path === VALIDATE ? { status: 503 } : { status: 400, body }));
    expect(await schedule(api)).toEqual({ kind: 'refused', errors: [{ ...body, attr: '' }] });
  });

  it.each([
    [404, { code: 'not_found', detail: 'No such supplier.' }, 'not_found'],
    [413, { code: 'payload_too_large', detail: 'Too large.' }, 'payload_too_large'],
    [418, {}, 'http_418'],
  ])('takes status %i as a refusal at once', async (status, body, code) => {
    const api = await clientOf(() => ({ status, body }));
    expect(await schedule(api)).toMatchObject({ kind: 'refused', errors: [{ code }] });
    expect(service.to('POST', SCHEDULE)).toHaveLength(1);
  });
});

describe('a service that misbehaves', () => {
  it('is asked again after 503 twice', async () => {
    const api = await clientOf(({ nth }) => ({ status: nth < 2 ? 503 : 201 }));
    expect(await schedule(api)).toEqual({ kind: 'accepted' });
    expect(service.to('POST', SCHEDULE)).toHaveLength(3);
  });

  it('is asked again after a reset connection, a silence and a page of HTML', async () => {
    const replies: Reply[] = ['reset', 'silence', { raw: '<h1>Bad gateway</h1>' }];
    const api = await clientOf(({ nth }) => replies[nth] ?? { status: 201 });
    expect(await schedule(api)).toEqual({ kind: 'accepted' });
  });

  it('gets the time that its Retry-After asks for, from all requests', async () => {
    const api = await clientOf(({ nth }) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 201 },
    );
    const first = schedule(api);
    while (service.to('POST', SCHEDULE).length === 0) await systemClock.sleep(5);
    await systemClock.sleep(50);
    await Promise.all([first, schedule(api), schedule(api)]);
    const [throttled, ...others] = service.to('POST', SCHEDULE);
    expect(others).toHaveLength(3);
    for (const { at } of others) expect(at - throttled!.at).toBeGreaterThanOrEqual(990);
  });

  it('is given up after so many attempts', async () => {
    const api = await clientOf(() => ({ status: 500 }));
    await expect(schedule(api)).rejects.toThrow('gave up after 4 attempts: status 500');
    expect(service.to('POST', SCHEDULE)).toHaveLength(QUICK.attempts);
  });

  it('is not asked again once the tool is being stopped', async () => {
    const stop = new AbortController();
    const api = await clientOf(
      () => {
        stop.abort();
        return { status: 503, headers: { 'retry-after': '2' } };
      },
      { stop: stop.signal },
    );
    const before = Date.now();
    await expect(schedule(api)).rejects.toThrow(Unreachable);
    expect(Date.now() - before).toBeLessThan(1000);
    expect(service.to('POST', SCHEDULE)).toHaveLength(1);
  });
});

describe('the token', () => {
  it('is replaced once when the service says it has expired, and the request repeated', async () => {
    let tokens = 0;
    const api = await clientOf(
      ({ authorization }) =>
        authorization === 'Token token-1'
          ? { status: 401, body: { code: 'token_expired' } }
          : { status: 201 },
      { token: () => issued(`token-${(tokens += 1)}`) },
    );
    const answers = await Promise.all([schedule(api), schedule(api), schedule(api)]);
    expect(answers).toEqual(Array(3).fill({ kind: 'accepted' }));
    expect(service.to('POST', TOKEN).map(({ body }) => inputOf(body))).toEqual([
      { APIKey: 'the-key' },
      { refreshToken: 'refresh-token-1' },
    ]);
  });

  it('is renewed before it expires', async () => {
    let tokens = 0;
    const api = await clientOf(() => ({ status: 201 }), {
      token: () => issued(`token-${(tokens += 1)}`, tokens === 1 ? 1 : 3600),
    });
    await schedule(api);
    await systemClock.sleep(850);
    await schedule(api);
    expect(service.to('POST', SCHEDULE).map(({ authorization }) => authorization)).toEqual([
      'Token token-1',
      'Token token-2',
    ]);
  });

  it('that is refused even when new ends the work', async () => {
    const api = await clientOf(() => ({
      status: 401,
      body: { code: 'authentication_failed', detail: 'The key was revoked.' },
    }));
    await expect(schedule(api)).rejects.toThrow(new AccessLost('The key was revoked.'));
  });

  it('is asked for again while the token endpoint is overloaded', async () => {
    let asked = 0;
    const overloaded: Reply = { status: 200, body: { errors: [{ extensions: { code: 'unavailable' } }] } };
    const api = await clientOf(() => ({ status: 201 }), {
      token: () => ((asked += 1) < 3 ? overloaded : issued('token')),
    });
    expect(await schedule(api)).toEqual({ kind: 'accepted' });
  });
});

describe('asking after a process', () => {
  it('encodes what stands in the path', async () => {
    const api = await clientOf(() => ({ status: 200, body: { status: 'PENDING', latest_error: null } }));
    expect(await api.status('DEMO', 'old/1 ä?')).toEqual({ status: 'PENDING', error: undefined });
    expect(service.to('GET', '/v2/data-import/accounts/DEMO/old%2F1%20%C3%A4%3F/')).toHaveLength(1);
  });

  it('gives the latest error', async () => {
    const latest_error = { code: 'boom', detail: 'It broke.', domain: 'import_process' };
    const api = await clientOf(() => ({ status: 200, body: { status: 'ERRORED', latest_error } }));
    expect(await api.status('DEMO', '1')).toMatchObject({ status: 'ERRORED', error: { code: 'boom' } });
  });

  it('says so when the service knows of none', async () => {
    const api = await clientOf(() => ({ status: 404, body: { code: 'not_found' } }));
    expect(await api.status('DEMO', '1')).toBeUndefined();
  });
});
