import { Agent } from 'node:http';
import {
  hangUp,
  inSequence,
  json,
  type ReceivedRequest,
  type Responder,
  silent,
  TestServer,
  text,
} from '@portage/testing/test-server';
import { tokenReply } from '../test/token-reply';
import { systemClock } from './clock';
import {
  AccessLost,
  type ByteStream,
  createPortageClient,
  type PortageClient,
  type PortageClientOptions,
  PortageError,
  type RetryPolicy,
  TokenRefused,
  Unreachable,
} from './index';

const SCHEDULE = '/v2/data-import/accounts/';
const NOTES = '/v1/data-import/notes/create/';
const TOKEN = '/v1/graphql/';
const QUICK: RetryPolicy = { baseDelayMs: 5, maxDelayMs: 20, maxAttempts: 4, maxDurationMs: 5000 };
const ACCOUNT = { import_supplier: 'DEMO', external_account_number: '1' };
const NOTE = { ...ACCOUNT, notes: [{ body: 'Moved.' }] };

let service: TestServer;
afterEach(() => service.stop());

interface Setup extends Partial<PortageClientOptions> {
  token?: Responder;
  basePath?: string;
  readsBodies?: boolean;
}

/** A client of a service that issues tokens and answers all other requests with `respond`. */
async function clientOf(
  respond: Responder,
  { token = tokenReply('token'), basePath = '', readsBodies, ...options }: Setup = {},
): Promise<PortageClient> {
  service = await TestServer.start(
    (request, response) => {
      (request.path.endsWith(TOKEN) ? token : respond)(request, response);
    },
    { readsBodies },
  );
  const baseUrl = new URL(basePath, service.url);
  return createPortageClient({ baseUrl, apiKey: 'the-key', retry: QUICK, timeoutMs: 200, ...options });
}

const inputOf = ({ body }: ReceivedRequest): unknown =>
  (JSON.parse(body) as { variables: { input: unknown } }).variables.input;
const schedule = (portage: PortageClient) => portage.scheduleAccount({ body: ACCOUNT });
const created = json(201, {});
const authorizationOf = ({ headers }: ReceivedRequest) => headers.authorization;

describe('an operation', () => {
  it('sends the body as JSON with the token, and returns the body of the response', async () => {
    const results = [{ status: 'NOTE_ADDED' }];
    const portage = await clientOf(json(201, results));
    const { data, response } = await portage.createNotes({ body: NOTE });
    expect(data).toEqual(results);
    expect(response).toMatchObject({ status: 201, attempts: 1, replayed: false });
    const [request] = service.requestsTo('POST', NOTES);
    expect(request).toMatchObject({ headers: { authorization: 'Token token' }, body: JSON.stringify(NOTE) });
  });

  it('sends JSON text unchanged', async () => {
    const portage = await clientOf(created);
    await portage.scheduleAccount({ text: '{"external_account_number": 1.0}' });
    expect(service.requestsTo('POST', SCHEDULE)).toMatchObject([
      { body: '{"external_account_number": 1.0}' },
    ]);
  });

  it('keeps the path of the base URL, encodes path segments and repeats parameters with several values', async () => {
    const portage = await clientOf(json(200, []), { basePath: 'platform' });
    await portage.readAccountImport({ path: { supplier: 'DEMO', identifier: 'old/1 ä?' } });
    await portage.listAllImportProcesses({
      path: { supplier: 'DEMO' },
      query: { status: ['ERRORED', 'PENDING'] },
    });
    expect(service.requests.slice(1).map(({ path }) => path)).toEqual([
      '/platform/v2/data-import/accounts/DEMO/old%2F1%20%C3%A4%3F/',
      '/platform/v1/data-import/all-account-import-processes/DEMO/?status=ERRORED&status=PENDING',
    ]);
  });

  it('an operation without security needs no token', async () => {
    const portage = await clientOf(json(200, { status: 'ok' }));
    expect((await portage.readLiveness()).data).toEqual({ status: 'ok' });
    const [request] = service.requests;
    expect([request!.path, authorizationOf(request!)]).toEqual(['/health/live', undefined]);
  });

  it('can use an agent of the program', async () => {
    const agent = new Agent({ maxSockets: 1, keepAlive: true });
    const portage = await clientOf(created, { agent });
    await schedule(portage);
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    agent.destroy();
  });
});

describe('a refusal', () => {
  const errors = [{ detail: 'Not a number.', code: 'invalid_phone_number', attr: 'customers.0.landline' }];
  const body = { code: 'account_failed_validation', detail: 'The account is not valid.', errors };
  const refused = json(400, body, { 'x-request-id': 'r-1' });

  it('is a PortageError with code, detail and the errors of the fields', async () => {
    const portage = await clientOf(refused);
    const error: unknown = await portage.validateAccount({ body: ACCOUNT }).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(PortageError);
    expect(error).toMatchObject({
      status: 400,
      code: body.code,
      detail: body.detail,
      errors,
      requestId: 'r-1',
    });
    expect(service.requestsTo('POST', `${SCHEDULE}validate/`)).toHaveLength(1);
  });

  it('is a value with throwOnError: false', async () => {
    const portage = await clientOf(refused);
    const { data, error } = await portage.validateAccount({ body: ACCOUNT, throwOnError: false });
    expect(data).toBeUndefined();
    expect(error).toMatchObject({ code: body.code, errors });
    expect(error?.body).toEqual(body);
    expect(error?.errorCount).toBe(1);
  });

  it.each([
    [
      { non_field_errors: { code: 'already', detail: 'Is there.' } },
      { code: 'already', detail: 'Is there.' },
    ],
    [{ non_field_errors: ['Is there.'] }, { code: 'http_400', detail: 'Is there.' }],
    [
      { status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'No.' },
      { code: 'TRANSACTION_IMPORT_ERROR', detail: 'No.' },
    ],
    [{}, { code: 'http_400', errors: [] }],
  ])('has a code in each form of the contract: %j', async (given, expected) => {
    const portage = await clientOf(json(400, given));
    await expect(schedule(portage)).rejects.toMatchObject(expected);
  });
});

describe('an unreliable service', () => {
  it('is retried after each 503', async () => {
    const portage = await clientOf(inSequence(json(503, {}), json(503, {}), created));
    expect((await schedule(portage)).response.attempts).toBe(3);
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(3);
  });

  it('is retried after a reset connection, a timeout and an HTML page', async () => {
    const badGateway = text(502, '<h1>Bad gateway</h1>');
    const portage = await clientOf(inSequence(hangUp, silent, badGateway, created));
    expect((await schedule(portage)).response).toMatchObject({ status: 201, attempts: 4 });
  });

  it('pauses all requests with Retry-After', async () => {
    const portage = await clientOf(inSequence(json(429, {}, { 'retry-after': '1' }), created));
    const first = schedule(portage);
    while (service.requestsTo('POST', SCHEDULE).length === 0) await systemClock.sleep(5);
    await systemClock.sleep(50);
    await Promise.all([first, schedule(portage), schedule(portage)]);
    const [throttled, ...others] = service.requestsTo('POST', SCHEDULE);
    expect(others).toHaveLength(3);
    for (const { at } of others) expect(at - throttled!.at).toBeGreaterThanOrEqual(990);
  });

  it('is unreachable after the maximum number of attempts, with the last error as the cause', async () => {
    const body = { code: 'unavailable', detail: 'The queue is down.' };
    const portage = await clientOf(json(503, body));
    const error: unknown = await schedule(portage).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ message: 'gave up after 4 attempts: status 503', cause: body });
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(QUICK.maxAttempts);
  });

  it('adds nothing twice, because retries have the idempotency key of the first attempt', async () => {
    const portage = await clientOf(inSequence(hangUp, created));
    await portage.createNotes({ body: NOTE });
    await portage.createNotes({ body: NOTE, headers: { 'Idempotency-Key': 'own' } });
    const [lost, repeated, own] = service
      .requestsTo('POST', NOTES)
      .map(({ headers }) => headers['idempotency-key']);
    expect(lost).toMatch(/^[0-9a-f-]{36}$/);
    expect(repeated).toBe(lost);
    expect(own).toBe('own');
  });

  it('is not retried while the program is being stopped', async () => {
    const stop = new AbortController();
    const portage = await clientOf(
      (...exchange) => {
        stop.abort();
        json(503, {}, { 'retry-after': '2' })(...exchange);
      },
      { signal: stop.signal },
    );
    const before = Date.now();
    await expect(schedule(portage)).rejects.toThrow(Unreachable);
    expect(Date.now() - before).toBeLessThan(1_900);
    expect(service.requestsTo('POST', SCHEDULE)).toHaveLength(1);
  });
});

describe('the token', () => {
  it('is replaced once if the service rejects it, and the requests are repeated', async () => {
    const expired = json(401, { code: 'token_expired' });
    const portage = await clientOf(
      (request, response) => {
        (authorizationOf(request) === 'Token token-1' ? expired : created)(request, response);
      },
      { token: inSequence(tokenReply('token-1'), tokenReply('token-2')) },
    );
    const answers = await Promise.all([schedule(portage), schedule(portage), schedule(portage)]);
    expect(answers.map(({ response }) => response.status)).toEqual([201, 201, 201]);
    expect(service.requestsTo('POST', TOKEN).map(inputOf)).toEqual([
      { APIKey: 'the-key' },
      { APIKey: 'the-key' },
    ]);
  });

  it('is renewed before it expires', async () => {
    const portage = await clientOf(created, {
      token: inSequence(tokenReply('token-1', 1), tokenReply('token-2')),
    });
    await schedule(portage);
    await systemClock.sleep(850);
    await schedule(portage);
    expect(service.requestsTo('POST', SCHEDULE).map(authorizationOf)).toEqual([
      'Token token-1',
      'Token token-2',
    ]);
  });

  it('is an error at once if the service refuses the credentials', async () => {
    const portage = await clientOf(created, {
      token: json(200, { errors: [{ message: 'The API key is not valid.' }] }),
    });
    await expect(portage.signIn()).rejects.toThrow(new TokenRefused('The API key is not valid.'));
  });

  it('is lost if a new one is rejected as well', async () => {
    const revoked = { code: 'authentication_failed', detail: 'The key was revoked.' };
    const portage = await clientOf(json(401, revoked));
    await expect(schedule(portage)).rejects.toThrow(new AccessLost('The key was revoked.'));
  });

  it('is requested again while the token endpoint is overloaded', async () => {
    const overloaded = json(200, { errors: [{ extensions: { code: 'unavailable' } }] });
    const portage = await clientOf(created, {
      token: inSequence(overloaded, overloaded, tokenReply('token')),
    });
    expect((await schedule(portage)).response.status).toBe(201);
  });
});

describe('a streamed body', () => {
  const UPLOAD = '/v2/data-import/submissions/7/accounts/';
  const path = { id: '7' };
  const lines = async function* () {
    for (const line of ['one\n', 'two\n']) {
      await Promise.resolve();
      yield Buffer.from(line);
    }
  };

  it('is sent while it is produced, and produced again for each attempt', async () => {
    const answer = { lines: 2, accepted: 2, refused: 0, repeated: 0, ignored_fields: {} };
    const portage = await clientOf(inSequence(json(503, {}), json(200, answer)));
    let produced = 0;
    const stream = () => {
      produced += 1;
      return lines();
    };
    const { data } = await portage.uploadAccounts({ path, stream });
    expect(data).toEqual(answer);
    expect(produced).toBe(2);
    expect(service.requestsTo('POST', UPLOAD).map(({ body }) => body)).toEqual(['one\ntwo\n', 'one\ntwo\n']);
  });

  it('ends when the service answers before it has read all of it', async () => {
    const notOpen = json(400, { code: 'submission_not_open', detail: 'It is complete.' });
    const portage = await clientOf(notOpen, { readsBodies: false, timeoutMs: 30_000 });
    const endless = async function* () {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.alloc(50_000, 'x');
      }
    };
    const { error } = await portage.uploadAccounts({ path, stream: endless, throwOnError: false });
    expect(error?.code).toBe('submission_not_open');
  });

  it('leaves no timer when its connection breaks', async () => {
    const portage = await clientOf(
      (_request, { req }) => {
        req.once('data', () => req.socket.resetAndDestroy());
      },
      { readsBodies: false, retry: { maxAttempts: 1 }, timeoutMs: 30_000 },
    );
    const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = countTimers();
    const large = async function* () {
      for (let chunk = 0; chunk < 100; chunk += 1) {
        await Promise.resolve();
        yield Buffer.alloc(50_000, 'x');
      }
    };
    await expect(portage.uploadAccounts({ path, stream: large })).rejects.toThrow(Unreachable);
    await new Promise((resolve) => setImmediate(resolve));
    // Timers of other tests may end meanwhile.
    expect(countTimers()).toBeLessThanOrEqual(before);
  });

  it('fails at once when its signal is aborted', async () => {
    const portage = await clientOf(silent, { timeoutMs: 60_000 });
    const given = new AbortController();
    const uploading = portage.uploadAccounts({
      path,
      stream: lines,
      signal: given.signal,
      retry: { maxAttempts: 1 },
    });
    setTimeout(() => {
      given.abort(new Error('given up'));
    }, 50);
    await expect(uploading).rejects.toThrow('gave up after 1 attempts: given up');
  });

  it('is given up after its timeout without a byte', async () => {
    const portage = await clientOf(created, { timeoutMs: 100 });
    const stalled = async function* () {
      yield Buffer.from('one');
      await new Promise((resolve) => setTimeout(resolve, 2_000).unref());
    };
    await expect(
      portage.uploadAccounts({ path, stream: stalled, retry: { maxAttempts: 1 } }),
    ).rejects.toThrow('no answer within 0.1 s');
  });
});

it('passes an answer on while it arrives, but not that of a refusal', async () => {
  const portage = await clientOf(
    inSequence(json(200, { line: 1 }), json(404, { code: 'not_found', detail: 'No.' })),
  );
  let received = '';
  const receive = async (bytes: ByteStream) => {
    for await (const chunk of bytes) received += Buffer.from(chunk).toString();
  };
  await portage.listSubmissionResults({ path: { id: '7' }, receive });
  expect(received).toBe('{"line":1}');
  const { error } = await portage.listSubmissionResults({ path: { id: '7' }, receive, throwOnError: false });
  expect(error?.code).toBe('not_found');
  expect(received).toBe('{"line":1}');
});
