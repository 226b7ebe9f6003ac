import { FakeService, tokenReply, type ReceivedRequest, type Reply } from '../../test/fake-service';
import { systemClock } from '../clock';
import { AccessToken } from './access-token';
import { AccessLost, AuthorizedClient } from './authorized-client';
import { type RetryPolicy } from './retry-policy';
import { DataImportApi } from './data-import-api';
import { Retrier, Unreachable } from './retrier';
import { TokenEndpoint } from './token-endpoint';
import { Transport } from './transport';

const SCHEDULE = '/v2/data-import/accounts/';
const VALIDATE = '/v2/data-import/accounts/validate/';
const TOKEN = '/v1/graphql/';
const QUICK: RetryPolicy = { baseDelayMs: 5, maxDelayMs: 20, maxAttempts: 4, maxDurationMs: 5000 };

let service: FakeService;
afterEach(() => service.stop());

/** A client of a service that issues tokens and replies to all other requests with `answer`. */
async function clientOf(
  answer: (request: ReceivedRequest) => Reply,
  { stop = new AbortController().signal, token = () => tokenReply('token'), basePath = '' } = {},
): Promise<DataImportApi> {
  service = await FakeService.start((request) => (request.path.endsWith(TOKEN) ? token() : answer(request)));
  const transport = new Transport(new URL(basePath, service.url), 200);
  const retrier = new Retrier(QUICK, stop, systemClock, Math.random);
  const endpoint = new TokenEndpoint(transport, retrier, systemClock);
  const accessToken = new AccessToken('the-key', endpoint.obtain.bind(endpoint), systemClock);
  return new DataImportApi(new AuthorizedClient(transport, retrier, accessToken));
}

const inputOf = (body: string): unknown =>
  (JSON.parse(body) as { variables: { input: unknown } }).variables.input;
const schedule = (api: DataImportApi) => api.schedule('{"a":1}');

describe('scheduling an account', () => {
  it('sends the unchanged text of the account with the token', async () => {
    const api = await clientOf(() => ({ status: 201 }));
    expect(await schedule(api)).toEqual({ kind: 'accepted', ignoredFields: [] });
    expect(service.requestsTo('POST', SCHEDULE)).toMatchObject([
      { authorization: 'Token token', body: '{"a":1}' },
    ]);
  });

  it('keeps the path of the base URL', async () => {
    const api = await clientOf(() => ({ status: 201 }), { basePath: 'platform' });
    await schedule(api);
    expect(service.requestsTo('POST', `/platform${SCHEDULE}`)).toHaveLength(1);
    expect(service.requestsTo('POST', `/platform${TOKEN}`)).toHaveLength(1);
  });

  it('recognises an account that is already imported', async () => {
    const code = 'account_import_process_already_imported';
    const api = await clientOf(() => ({
      status: 400,
      headers: { 'payload-digest': 'sha-256=:AQID:', 'ignored-fields': 'customers.0.nick%20name, ...' },
      body: { non_field_errors: { detail: 'Imported.', code }, account_id: 'A-00000001' },
    }));
    expect(await schedule(api)).toEqual({
      kind: 'already-imported',
      digest: 'sha-256=:AQID:',
      ignoredFields: ['customers.0.nick name', '...'],
    });
  });

  it('reads all errors of a refused account from the validate endpoint', async () => {
    const errors = [
      { detail: 'Not a number.', code: 'invalid_phone_number', attr: 'customers.0.landline' },
      { detail: 'Needed.', code: 'required', attr: 'external_account_number' },
    ];
    const api = await clientOf(({ path }) =>
      path === VALIDATE
        ? { status: 400, body: { code: 'account_failed_validation', detail: '', errors } }
        : { status: 400, body: { code: 'import_process_failed_validation', detail: 'Invalid.' } },
    );
    expect(await schedule(api)).toEqual({ kind: 'refused', errors, ignoredFields: [] });
    expect(service.requestsTo('POST', VALIDATE)).toMatchObject([{ body: '{"a":1}' }]);
  });

  it('reports the refusal if its details cannot be read', async () => {
    const body = { code: 'import_process_failed_validation', detail: 'Invalid.' };
    const api = await clientOf(({ path }) => (path === VALIDATE ? { status: 503 } : { status: 400, body }));
    expect(await schedule(api)).toMatchObject({ kind: 'refused', errors: [{ ...body, attr: '' }] });
  });

  it.each([
    [404, { code: 'not_found', detail: 'No such supplier.' }, 'not_found'],
    [413, { code: 'payload_too_large', detail: 'Too large.' }, 'payload_too_large'],
    [418, {}, 'http_418'],
  ])('treats status %i as a refusal without retries', async (status, body, code) => {
    const api = await clientOf(() => ({ status, body }));
    expect(await schedule(api)).toMatchObject({ kind: 'refused', errors: [{ code }] });
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(1);
  });
});

describe('an unreliable service', () => {
  it('is retried after each 503', async () => {
    const api = await clientOf(({ nth }) => ({ status: nth < 2 ? 503 : 201 }));
    expect(await schedule(api)).toEqual({ kind: 'accepted', ignoredFields: [] });
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(3);
  });

  it('is retried after a reset connection, a timeout and an HTML page', async () => {
    const replies: Reply[] = ['reset', 'silence', { raw: '<h1>Bad gateway</h1>' }];
    const api = await clientOf(({ nth }) => replies[nth] ?? { status: 201 });
    expect(await schedule(api)).toEqual({ kind: 'accepted', ignoredFields: [] });
  });

  it('pauses all requests with Retry-After', async () => {
    const api = await clientOf(({ nth }) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 201 },
    );
    const first = schedule(api);
    while (service.requestsTo('POST', SCHEDULE).length === 0) await systemClock.sleep(5);
    await systemClock.sleep(50);
    await Promise.all([first, schedule(api), schedule(api)]);
    const [throttled, ...others] = service.requestsTo('POST', SCHEDULE);
    expect(others).toHaveLength(3);
    for (const { at } of others) expect(at - throttled!.at).toBeGreaterThanOrEqual(990);
  });

  it('is unreachable after the maximum number of attempts', async () => {
    const api = await clientOf(() => ({ status: 500 }));
    await expect(schedule(api)).rejects.toThrow('gave up after 4 attempts: status 500');
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(QUICK.maxAttempts);
  });

  it('is not retried while the tool is being stopped', async () => {
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
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(1);
  });
});

describe('the token', () => {
  it('is replaced once if the service rejects it, and the request is repeated', async () => {
    let tokens = 0;
    const api = await clientOf(
      ({ authorization }) =>
        authorization === 'Token token-1'
          ? { status: 401, body: { code: 'token_expired' } }
          : { status: 201 },
      { token: () => tokenReply(`token-${(tokens += 1)}`) },
    );
    const answers = await Promise.all([schedule(api), schedule(api), schedule(api)]);
    expect(answers).toEqual(Array(3).fill({ kind: 'accepted', ignoredFields: [] }));
    expect(service.requestsTo('POST', TOKEN).map(({ body }) => inputOf(body))).toEqual([
      { APIKey: 'the-key' },
      { refreshToken: 'refresh-token-1' },
    ]);
  });

  it('is renewed before it expires', async () => {
    let tokens = 0;
    const api = await clientOf(() => ({ status: 201 }), {
      token: () => tokenReply(`token-${(tokens += 1)}`, tokens === 1 ? 1 : 3600),
    });
    await schedule(api);
    await systemClock.sleep(850);
    await schedule(api);
    expect(service.requestsTo('POST', SCHEDULE).map(({ authorization }) => authorization)).toEqual([
      'Token token-1',
      'Token token-2',
    ]);
  });

  it('ends the run if a new one is rejected as well', async () => {
    const api = await clientOf(() => ({
      status: 401,
      body: { code: 'authentication_failed', detail: 'The key was revoked.' },
    }));
    await expect(schedule(api)).rejects.toThrow(new AccessLost('The key was revoked.'));
  });

  it('is requested again while the token endpoint is overloaded', async () => {
    let tokenRequests = 0;
    const overloaded: Reply = { status: 200, body: { errors: [{ extensions: { code: 'unavailable' } }] } };
    const api = await clientOf(() => ({ status: 201 }), {
      token: () => ((tokenRequests += 1) < 3 ? overloaded : tokenReply('token')),
    });
    expect(await schedule(api)).toEqual({ kind: 'accepted', ignoredFields: [] });
  });
});

describe('reading the status of a process', () => {
  it('encodes the path segments', async () => {
    const api = await clientOf(() => ({ status: 200, body: { status: 'PENDING', latest_error: null } }));
    expect(await api.status('DEMO', 'old/1 ä?')).toMatchObject({ status: 'PENDING', error: undefined });
    expect(service.requestsTo('GET', '/v2/data-import/accounts/DEMO/old%2F1%20%C3%A4%3F/')).toHaveLength(1);
  });

  it('returns the latest error', async () => {
    const latest_error = { code: 'boom', detail: 'It broke.', domain: 'import_process' };
    const api = await clientOf(() => ({ status: 200, body: { status: 'ERRORED', latest_error } }));
    expect(await api.status('DEMO', '1')).toMatchObject({ status: 'ERRORED', error: { code: 'boom' } });
  });

  it('returns undefined if the service does not know the process', async () => {
    const api = await clientOf(() => ({ status: 404, body: { code: 'not_found' } }));
    expect(await api.status('DEMO', '1')).toBeUndefined();
  });
});
