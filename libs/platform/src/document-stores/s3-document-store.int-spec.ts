import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { listenLocally } from '@portage/testing/local-server';
import { json, type Responder, TestServer } from '@portage/testing/test-server';
import { until } from '@portage/testing/until';
import { BUCKET, CREDENTIALS, keyOf, LIMITS, type S3Server, startS3Server } from '../../test/stores';
import { DocumentStoreUnavailable, type StoreLimits } from './document-store';
import { inspectDocument } from './inspect-document';
import { S3DocumentStore } from './s3-document-store';

const KEY = keyOf('letters/Jane Doe.pdf');
const QUICK: StoreLimits = {
  ...LIMITS,
  operationTimeoutMs: 300,
  checkTimeoutMs: 500,
  readTimeoutMs: 400,
};

/** Announces a document of 1,000 bytes and sends fewer. */
const firstHalf =
  (then: (response: ServerResponse) => unknown = () => undefined): Responder =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('the first half', () => then(response));
  };

/** Under jest the SDK sees errors of another realm and copies only their name, so the code may be lost. */
const codeUnderJest = (code: string) => new RegExp(`^(${code}|Error)$`);

describe('an S3-compatible store', () => {
  let server: S3Server;
  const stores: S3DocumentStore[] = [];
  beforeAll(async () => {
    server = await startS3Server();
  });
  beforeEach(() => {
    Object.assign(process.env, CREDENTIALS);
  });
  afterAll(async () => {
    for (const store of stores) store.onApplicationShutdown();
    await server.stop();
    for (const name of Object.keys(process.env))
      if (name.startsWith('AWS_')) Reflect.deleteProperty(process.env, name);
  });

  function storeAt(endpoint: string, { bucket = BUCKET, limits = LIMITS } = {}): S3DocumentStore {
    const store = new S3DocumentStore(
      { kind: 's3', bucket, region: 'us-east-1', endpoint, forcePathStyle: true },
      limits,
    );
    stores.push(store);
    return store;
  }

  /** Expects every operation to fail in time as unavailable, for this reason, without details of the document. */
  async function expectUnavailable(store: S3DocumentStore, reason: RegExp): Promise<void> {
    const operations = [
      () => store.head(KEY),
      () => store.read(KEY, { maxBytes: 1_000 }),
      () => store.existing([KEY, keyOf('another')]),
      () => store.put(KEY, Buffer.from('x')),
    ];
    for (const operation of operations) {
      const start = performance.now();
      const error: unknown = await operation().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(DocumentStoreUnavailable);
      expect((error as DocumentStoreUnavailable).reason).toMatch(reason);
      expect(String(error)).not.toMatch(/Jane|127\.0\.0\.1|TEST-/);
      expect((error as Error).cause).toBeUndefined();
      expect(performance.now() - start).toBeLessThan(5_000);
    }
  }

  it('a store without its bucket is unavailable; its documents do not count as missing', async () => {
    await expectUnavailable(storeAt(server.endpoint, { bucket: 'no-such-bucket' }), /^NoSuchBucket$/);
  });

  it('a store that refuses the credentials is unavailable, and its message is not repeated', async () => {
    const refusing = await TestServer.start((_request, response) => {
      const body = `<Error><Code>SignatureDoesNotMatch</Code><Message>letters/Jane Doe.pdf</Message></Error>`;
      response.writeHead(403, { 'content-type': 'application/xml' }).end(body);
    });
    await expectUnavailable(storeAt(refusing.url), /^(SignatureDoesNotMatch|403|Unknown)$/);
    await refusing.stop();
  });

  it('is unavailable without credentials', async () => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' });
    process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
    process.env['AWS_SHARED_CREDENTIALS_FILE'] = process.env['AWS_CONFIG_FILE'] = '/dev/null';
    await expectUnavailable(storeAt(server.endpoint), /^CredentialsProviderError$/);
  });

  it('is unavailable with an unknown key id', async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'NOBODY';
    await expectUnavailable(storeAt(server.endpoint), /^(InvalidAccessKeyId|Unknown|403)$/);
  });

  it('a store that is down is unavailable', async () => {
    const stopped = await listenLocally(createServer());
    await stopped.stop();
    await expectUnavailable(storeAt(stopped.url), codeUnderJest('ECONNREFUSED'));
  });

  it('a store that accepts connections and never responds times out', async () => {
    let connections = 0;
    const silent = await listenLocally(createServer(() => (connections += 1)));
    await expectUnavailable(storeAt(silent.url, { limits: QUICK }), /^ETIMEDOUT$/);
    expect(connections).toBeGreaterThan(0);
    await silent.stop();
  });

  it('a store that closes connections is unavailable', async () => {
    const cutting = await listenLocally(createServer((socket) => socket.destroy()));
    await expectUnavailable(storeAt(cutting.url), codeUnderJest('ECONNRESET'));
    await cutting.stop();
  });

  it.each([500, 503, 429, 301, 403])(
    'a store that responds with %d is unavailable and gets one request',
    async (status) => {
      const failing = await TestServer.start(json(status));
      const store = storeAt(failing.url);
      await expect(store.head(KEY)).rejects.toThrow(DocumentStoreUnavailable);
      expect(failing.requests).toHaveLength(1);
      await failing.stop();
    },
  );

  it.each([
    ['stalls in the middle of a document', /^ETIMEDOUT$/, firstHalf()],
    ['breaks off in the middle of a document', /^ECONNRESET$/, firstHalf(({ socket }) => socket?.destroy())],
  ])('a store that %s is unavailable', async (_case, reason, respond) => {
    const stalling = await TestServer.start(respond);
    const start = performance.now();
    const inspection = inspectDocument(storeAt(stalling.url, { limits: QUICK }), KEY, {
      maxBytes: 1_000,
    });
    await expect(inspection).rejects.toMatchObject({
      name: 'DocumentStoreUnavailable',
      reason: expect.stringMatching(reason),
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    await stalling.stop();
  });

  it('an opened document without a reader is closed at the read timeout', async () => {
    const slow = await TestServer.start(firstHalf());
    const opened = await storeAt(slow.url, { limits: QUICK }).read(KEY, { maxBytes: 1_000 });
    expect([opened.outcome, slow.openConnectionCount]).toEqual(['found', 1]);
    await until(
      () => slow.openConnectionCount === 0,
      'The document is still open.',
      10 * QUICK.readTimeoutMs,
    );
    await slow.stop();
  });

  it('a check of many documents times out as a whole and sends no further requests', async () => {
    let open = 0;
    const slow = await TestServer.start((_request, response) => {
      open += 1;
      setTimeout(() => {
        open -= 1;
        response.writeHead(200, { 'content-length': '1' }).end();
      }, 100);
    });
    const keys = Array.from({ length: 1_000 }, (_, i) => keyOf(`many/${i}`));
    const start = performance.now();
    await expect(storeAt(slow.url, { limits: QUICK }).existing(keys)).rejects.toMatchObject({
      reason: 'ETIMEDOUT',
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    // Each answer would be followed by another request.
    await until(
      () => open === 0,
      () => `${open} requests are not answered`,
    );
    expect(slow.requests.length).toBeLessThan(100);
    await slow.stop();
  });

  it('gets at most maxConcurrent requests at the same time', async () => {
    const open: ServerResponse[] = [];
    let maxOpen = 0;
    const counting = await TestServer.start((_request, response) => {
      maxOpen = Math.max(maxOpen, open.push(response));
      // More would arrive while these wait.
      if (open.length === LIMITS.maxConcurrent)
        setTimeout(() => {
          for (const each of open.splice(0)) each.writeHead(200, { 'content-length': '1' }).end();
        }, 20);
    });
    // Twice a hundred is a multiple of the limit, so that no request waits for more.
    const keys = Array.from({ length: 100 }, (_, i) => keyOf(`many/${i}`));
    // A busy machine may take longer than the usual limits.
    const limits = { ...LIMITS, operationTimeoutMs: 30_000, checkTimeoutMs: 30_000 };
    const store = storeAt(counting.url, { limits });
    await Promise.all([store.existing(keys), store.existing(keys)]);
    expect(maxOpen).toBe(LIMITS.maxConcurrent);
    await counting.stop();
  });
});
