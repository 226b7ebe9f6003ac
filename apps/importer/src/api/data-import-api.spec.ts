import { createPortageClient } from '@portage/client';
import {
  FakeService,
  type ReceivedRequest,
  type Reply,
  tokenReply,
} from '../../../../packages/client/test/fake-service';
import { DataImportApi } from './data-import-api';

const SCHEDULE = '/v2/data-import/accounts/';
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

const schedule = (api: DataImportApi) => api.schedule('{"a":1}');

describe('scheduling an account', () => {
  it('sends the unchanged text of the account with the token', async () => {
    const api = await apiOf(() => ({ status: 201 }));
    expect(await schedule(api)).toEqual({ kind: 'accepted', ignoredFields: [] });
    expect(service.requestsTo('POST', SCHEDULE)).toMatchObject([
      { authorization: 'Token token', body: '{"a":1}' },
    ]);
  });

  it('recognises an account that is already imported', async () => {
    const code = 'account_import_process_already_imported';
    const api = await apiOf(() => ({
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
    const api = await apiOf(({ path }) =>
      path === VALIDATE
        ? { status: 400, body: { code: 'account_failed_validation', detail: '', errors } }
        : { status: 400, body: { code: 'import_process_failed_validation', detail: 'Invalid.' } },
    );
    expect(await schedule(api)).toEqual({ kind: 'refused', errors, ignoredFields: [] });
    expect(service.requestsTo('POST', VALIDATE)).toMatchObject([{ body: '{"a":1}' }]);
  });

  it('reports the refusal if its details cannot be read', async () => {
    const body = { code: 'import_process_failed_validation', detail: 'Invalid.' };
    const api = await apiOf(({ path }) => (path === VALIDATE ? { status: 503 } : { status: 400, body }));
    expect(await schedule(api)).toMatchObject({ kind: 'refused', errors: [{ ...body, attr: '' }] });
  });

  it.each([
    [404, { code: 'not_found', detail: 'No such supplier.' }, 'not_found'],
    [413, { code: 'payload_too_large', detail: 'Too large.' }, 'payload_too_large'],
    [418, {}, 'http_418'],
  ])('treats status %i as a refusal without retries', async (status, body, code) => {
    const api = await apiOf(() => ({ status, body }));
    expect(await schedule(api)).toMatchObject({ kind: 'refused', errors: [{ code }] });
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(1);
  });
});

describe('reading the status of a process', () => {
  it('encodes the path segments', async () => {
    const api = await apiOf(() => ({ status: 200, body: { status: 'PENDING', latest_error: null } }));
    expect(await api.status('DEMO', 'old/1 ä?')).toMatchObject({ status: 'PENDING', error: undefined });
    expect(service.requestsTo('GET', '/v2/data-import/accounts/DEMO/old%2F1%20%C3%A4%3F/')).toHaveLength(1);
  });

  it('returns the latest error', async () => {
    const latest_error = { code: 'boom', detail: 'It broke.', domain: 'import_process' };
    const api = await apiOf(() => ({ status: 200, body: { status: 'ERRORED', latest_error } }));
    expect(await api.status('DEMO', '1')).toMatchObject({ status: 'ERRORED', error: { code: 'boom' } });
  });

  it('returns undefined if the service does not know the process', async () => {
    const api = await apiOf(() => ({ status: 404, body: { code: 'not_found' } }));
    expect(await api.status('DEMO', '1')).toBeUndefined();
  });
});
