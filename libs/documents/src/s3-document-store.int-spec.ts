import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { BUCKET, CREDENTIALS, keyOf, LIMITS, type S3Server, startS3Server } from '../test/stores';
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

/** The SDK copies errors that are not of its own realm, as under jest, where their name is all that is left. */
const JEST_HIDES = (code: string) => new RegExp(`^(${code}|Error)$`);

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
  });

  function storeAt(endpoint: string, { bucket = BUCKET, limits = LIMITS } = {}): S3DocumentStore {
    const store = new S3DocumentStore(
      { kind: 's3', bucket, region: 'us-east-1', endpoint, forcePathStyle: true },
      limits,
    );
    stores.push(store);
    return store;
  }

  /** Every question ends so: as unavailable, for this reason, in good time, and without a word about the document. */
  async function expectUnavailable(
    store: S3DocumentStore,
    reason: RegExp,
    milliseconds = 1_500,
  ): Promise<void> {
    const questions = [
      () => store.head(KEY),
      () => store.read(KEY, { maxBytes: 1_000 }),
      () => store.existing([KEY, keyOf('another')]),
      () => store.put(KEY, Buffer.from('x')),
    ];
    for (const ask of questions) {
      const start = performance.now();
      const error: unknown = await ask().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(DocumentStoreUnavailable);
      expect((error as DocumentStoreUnavailable).reason).toMatch(reason);
      expect(String(error)).not.toMatch(/Jane|127\.0\.0\.1|S3RVER/);
      expect((error as Error).cause).toBeUndefined();
      expect(performance.now() - start).toBeLessThan(milliseconds);
    }
  }

  it('without the bucket is unavailable: its documents are not missing', async () => {
    await expectUnavailable(storeAt(server.endpoint, { bucket: 'no-such-bucket' }), /^NoSuchBucket$/);
  });

  it('that refuses the credentials is unavailable, and what it says is not repeated', async () => {
    const refusing = await answering((_request, response) => {
      const body = `<Error><Code>SignatureDoesNotMatch</Code><Message>letters/Jane Doe.pdf</Message></Error>`;
      response.writeHead(403, { 'content-type': 'application/xml' }).end(body);
    });
    await expectUnavailable(storeAt(refusing.endpoint), /^(SignatureDoesNotMatch|403|Unknown)$/);
    await closed(refusing.server);
  });

  it('is unavailable without credentials', async () => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' });
    process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
    process.env['AWS_SHARED_CREDENTIALS_FILE'] = process.env['AWS_CONFIG_FILE'] = '/dev/null';
    await expectUnavailable(storeAt(server.endpoint), /^CredentialsProviderError$/);
  });

  it('whose key id is unknown is unavailable', async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'NOBODY';
    await expectUnavailable(storeAt(server.endpoint), /^(InvalidAccessKeyId|Unknown|403)$/);
  });

  it('that is down is unavailable', async () => {
    const gone = await listening(createServer());
    await closed(gone.server);
    await expectUnavailable(storeAt(gone.endpoint), JEST_HIDES('ECONNREFUSED'));
  });

  it('that accepts and never answers is given up within the limit', async () => {
    const sockets = new Set<Socket>();
    const silent = await listening(
      createServer((socket) => sockets.add(socket.on('error', () => undefined))),
    );
    await expectUnavailable(storeAt(silent.endpoint, { limits: QUICK }), /^ETIMEDOUT$/, 800);
    expect(sockets.size).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await closed(silent.server);
  });

  it('that cuts connections is unavailable', async () => {
    const cutting = await listening(createServer((socket) => socket.destroy()));
    await expectUnavailable(storeAt(cutting.endpoint), JEST_HIDES('ECONNRESET'));
    await closed(cutting.server);
  });

  it.each([500, 503, 429, 301, 403])('that answers %d is unavailable, and is asked once', async (status) => {
    let asked = 0;
    const failing = await answering((_request, response) => {
      asked += 1;
      response.writeHead(status).end();
    });
    const store = storeAt(failing.endpoint);
    await expect(store.head(KEY)).rejects.toThrow(DocumentStoreUnavailable);
    expect(asked).toBe(1);
    await closed(failing.server);
  });

  it.each([
    ['stalls in the middle of a document', /^ETIMEDOUT$/, () => undefined],
    ['breaks off in the middle of a document', /^ECONNRESET$/, (socket: Socket) => socket.destroy()],
  ])('that %s is unavailable', async (_what, reason, then) => {
    const stalling = await answering((request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the first half', () => setTimeout(() => then(request.socket), 50));
    });
    const start = performance.now();
    const inspection = inspectDocument(storeAt(stalling.endpoint, { limits: QUICK }), KEY, {
      maxBytes: 1_000,
    });
    await expect(inspection).rejects.toMatchObject({
      name: 'DocumentStoreUnavailable',
      reason: expect.stringMatching(reason),
    });
    expect(performance.now() - start).toBeLessThan(1_500);
    await closed(stalling.server);
  });

  it('a document that nobody reads is closed when time is up', async () => {
    let open = 0;
    const slow = await answering((request, response) => {
      open += 1;
      request.socket.once('close', () => (open -= 1));
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the first half');
    });
    const opened = await storeAt(slow.endpoint, { limits: QUICK }).read(KEY, { maxBytes: 1_000 });
    expect([opened.outcome, open]).toEqual(['found', 1]);
    await new Promise((resolve) => setTimeout(resolve, 2 * QUICK.readTimeoutMs));
    expect(open).toBe(0);
    await closed(slow.server);
  });

  it('asking about many documents is given up as a whole, and no more are asked about', async () => {
    let asked = 0;
    const slow = await answering((_request, response) => {
      asked += 1;
      setTimeout(() => response.writeHead(200, { 'content-length': '1' }).end(), 100);
    });
    const keys = Array.from({ length: 1_000 }, (_, i) => keyOf(`many/${i}`));
    const start = performance.now();
    await expect(storeAt(slow.endpoint, { limits: QUICK }).existing(keys)).rejects.toMatchObject({
      reason: 'ETIMEDOUT',
    });
    expect(performance.now() - start).toBeLessThan(1_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const askedInTime = asked;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(asked).toBe(askedInTime);
    expect(asked).toBeLessThan(100);
    await closed(slow.server);
  });

  it('is asked about no more documents at once than configured', async () => {
    let open = 0;
    let most = 0;
    const counting = await answering((_request, response) => {
      most = Math.max(most, (open += 1));
      setTimeout(() => {
        open -= 1;
        response.writeHead(200, { 'content-length': '1' }).end();
      }, 5);
    });
    const keys = Array.from({ length: 100 }, (_, i) => keyOf(`many/${i}`));
    const store = storeAt(counting.endpoint);
    await Promise.all([store.existing(keys), store.existing(keys)]);
    expect(most).toBe(LIMITS.maxConcurrent);
    await closed(counting.server);
  });
});

async function listening(server: Server): Promise<{ server: Server; endpoint: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function answering(listener: RequestListener): Promise<{ server: Server; endpoint: string }> {
  return listening(createHttpServer(listener));
}

async function closed(server: Server): Promise<void> {
  (server as Partial<{ closeAllConnections(): void }>).closeAllConnections?.();
  await new Promise((resolve) => server.close(resolve));
}
