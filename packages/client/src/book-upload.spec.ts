import { hangUp, inSequence, json, type Responder, silent, TestServer } from '@portage/testing/test-server';
import { tokenReply } from '../test/token-reply';
import { createPortageClient, type PortageClient, Unreachable } from './index';

const UPLOAD = '/v2/data-import/submissions/7/accounts/';
const ANSWER = { lines: 1, accepted: 1, refused: 0, repeated: 0, ignored_fields: {} };
const retry = { baseDelayMs: 5, maxDelayMs: 20, maxAttempts: 3, maxDurationMs: 5_000 };

let service: TestServer;
afterEach(() => service.stop());

/** A client of a service that has a submission without lines. */
async function clientOf(upload: Responder): Promise<PortageClient> {
  const submission = json(200, { id: '7', counts: { received: 0, repeated: 0 } });
  service = await TestServer.start((request, response) => {
    const isToken = request.path === '/v1/graphql/';
    const respond = isToken ? tokenReply('token') : request.method === 'GET' ? submission : upload;
    respond(request, response);
  });
  return createPortageClient({ baseUrl: service.url, apiKey: 'the-key', retry, timeoutMs: 300 });
}

async function* book() {
  yield await Promise.resolve('{"import_supplier":"DEMO","external_account_number":"1"}\n');
}

describe('an upload', () => {
  it('begins again after 503, a broken connection and a stall, and says why', async () => {
    const overloaded = json(503, { detail: 'Overloaded.' });
    const portage = await clientOf(inSequence(overloaded, hangUp, silent, json(200, ANSWER)));
    const reasons: string[] = [];
    const answer = await portage.upload('7', book, {
      retry: { maxAttempts: 5 },
      onRetry: ({ reason }) => reasons.push(reason),
    });
    expect(answer).toEqual(ANSWER);
    expect(reasons).toEqual([
      expect.stringContaining('status 503'),
      expect.any(String),
      expect.stringContaining('read and stored nothing'),
    ]);
  });

  it('is given up when no attempt comes further', async () => {
    const portage = await clientOf(hangUp);
    await expect(portage.upload('7', book)).rejects.toThrow('gave up the upload after 3 attempts');
  });

  it('an upload of additions goes to their operation', async () => {
    const portage = await clientOf(json(200, ANSWER));
    await portage.upload('7', book, { kind: 'additions' });
    expect(service.requestsTo('POST', UPLOAD.replace('accounts', 'additions'))).toHaveLength(1);
  });

  it('an upload of a stream is not repeated, nor one whose source fails', async () => {
    const portage = await clientOf(hangUp);
    await expect(portage.upload('7', book())).rejects.toThrow(Unreachable);
    expect(service.requestsTo('POST', UPLOAD)).toHaveLength(1);
    const broken = async function* () {
      yield* book();
      throw new Error('The disk is gone.');
    };
    await expect(portage.upload('7', broken)).rejects.toThrow('The disk is gone.');
    expect(service.requestsTo('POST', UPLOAD).length).toBeLessThanOrEqual(2);
  });
});
