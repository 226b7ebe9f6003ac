import { createPortageClient } from '@portage/client';
import {
  FakeService,
  type ReceivedRequest,
  type Reply,
  tokenReply,
} from '../../../../packages/client/test/fake-service';
import { DataImportApi } from './data-import-api';

const VALIDATE = '/v2/data-import/accounts/validate/';
const TOKEN = '/v1/graphql/';

let service: FakeService;
afterEach(() => service.stop());

/** The calls of a service that issues tokens and replies to all other requests with `answer`. */
async function apiOf(answer: (request: ReceivedRequest) => Reply): Promise<DataImportApi> {
  service = await FakeService.start((request) =>
    request.path.endsWith(TOKEN) ? tokenReply('token') : answer(request),
  );
  const portage = createPortageClient({
    baseUrl: service.url,
    apiKey: 'the-key',
    timeoutMs: 200,
    retry: { baseDelayMs: 5, maxDelayMs: 20, maxAttempts: 4, maxDurationMs: 5000 },
  });
  return new DataImportApi(portage);
}

const check = (api: DataImportApi) => api.validate('{"a":1}');

describe('validating an account', () => {
  it('sends the unchanged text of the account with the token', async () => {
    const api = await apiOf(() => ({ status: 200 }));
    expect(await check(api)).toEqual({ errors: [], ignoredFields: [] });
    expect(service.requestsTo('POST', VALIDATE)).toMatchObject([
      { authorization: 'Token token', body: '{"a":1}' },
    ]);
  });

  it('reads all errors of an account that is not valid, and the fields that are ignored', async () => {
    const errors = [
      { detail: 'Not a number.', code: 'invalid_phone_number', attr: 'customers.0.landline' },
      { detail: 'Needed.', code: 'required', attr: 'external_account_number' },
    ];
    const api = await apiOf(() => ({
      status: 400,
      headers: { 'ignored-fields': 'customers.0.nick%20name, ...' },
      body: { code: 'account_failed_validation', detail: '', errors },
    }));
    expect(await check(api)).toEqual({ errors, ignoredFields: ['customers.0.nick name', '...'] });
  });

  it.each([
    [404, { code: 'not_found', detail: 'No such supplier.' }, 'not_found'],
    [413, { code: 'payload_too_large', detail: 'Too large.' }, 'payload_too_large'],
    [418, {}, 'http_418'],
  ])('treats status %i as a refusal without retries', async (status, body, code) => {
    const api = await apiOf(() => ({ status, body }));
    expect(await check(api)).toMatchObject({ errors: [{ code }] });
    expect(service.requestsTo('POST', VALIDATE)).toHaveLength(1);
  });
});

describe('the digest of an accepted payload', () => {
  it('is read from the status, with encoded path segments', async () => {
    const api = await apiOf(() => ({
      status: 200,
      headers: { 'payload-digest': 'sha-256=:AQID:' },
      body: { status: 'PROCESSED', latest_error: null },
    }));
    expect(await api.acceptedDigest('DEMO', 'old/1 ä?')).toBe('sha-256=:AQID:');
    expect(service.requestsTo('GET', '/v2/data-import/accounts/DEMO/old%2F1%20%C3%A4%3F/')).toHaveLength(1);
  });

  it('is undefined if the service does not know the process', async () => {
    const api = await apiOf(() => ({ status: 404, body: { code: 'not_found' } }));
    expect(await api.acceptedDigest('DEMO', '1')).toBeUndefined();
  });
});
