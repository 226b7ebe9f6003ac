import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
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

  it('that refuses the credentials is unavailable, and its message is not repeated', async () => {
    const refusing = await serveHttp((_request, response) => {
      const body = `<Error><Code>SignatureDoesNotMatch</Code><Message>letters/Jane Doe.pdf</Message></Error>`;
      response.writeHead(403, { 'content-type': 'application/xml' }).end(body);
    });
    await expectUnavailable(storeAt(refusing.endpoint), /^(SignatureDoesNotMatch|403|Unknown)$/);
    await close(refusing.server);
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

  it('that is down is unavailable', async () => {
    const stopped = await listen(createServer());
    await close(stopped.server);
    await expectUnavailable(storeAt(stopped.endpoint), codeUnderJest('ECONNREFUSED'));
  });

  it('that accepts connections and never responds times out', async () => {
    const sockets = new Set<Socket>();
    const silent = await listen(createServer((socket) => sockets.add(socket.on('error', () => undefined))));
    await expectUnavailable(storeAt(silent.endpoint, { limits: QUICK }), /^ETIMEDOUT$/);
    expect(sockets.size).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await close(silent.server);
  });

  it('that closes connections is unavailable', async () => {
    const cutting = await listen(createServer((socket) => socket.destroy()));
    await expectUnavailable(storeAt(cutting.endpoint), codeUnderJest('ECONNRESET'));
    await close(cutting.server);
  });

  it.each([500, 503, 429, 301, 403])(
    'that responds with %d is unavailable and gets one request',
    async (status) => {
      let requestCount = 0;
      const failing = await serveHttp((_request, response) => {
        requestCount += 1;
        response.writeHead(status).end();
      });
      const store = storeAt(failing.endpoint);
      await expect(store.head(KEY)).rejects.toThrow(DocumentStoreUnavailable);
      expect(requestCount).toBe(1);
      await close(failing.server);
    },
  );

  it.each([
    ['stalls in the middle of a document', /^ETIMEDOUT$/, () => undefined],
    ['breaks off in the middle of a document', /^ECONNRESET$/, (socket: Socket) => socket.destroy()],
  ])('that %s is unavailable', async (_case, reason, then) => {
    const stalling = await serveHttp((request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the first half', () => then(request.socket));
    });
    const start = performance.now();
    const inspection = inspectDocument(storeAt(stalling.endpoint, { limits: QUICK }), KEY, {
      maxBytes: 1_000,
    });
    await expect(inspection).rejects.toMatchObject({
      name: 'DocumentStoreUnavailable',
      reason: expect.stringMatching(reason),
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    await close(stalling.server);
  });

  it('an opened document without a reader is closed at the read timeout', async () => {
    let open = 0;
    const slow = await serveHttp((request, response) => {
      open += 1;
      request.socket.once('close', () => (open -= 1));
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the first half');
    });
    const opened = await storeAt(slow.endpoint, { limits: QUICK }).read(KEY, { maxBytes: 1_000 });
    expect([opened.outcome, open]).toEqual(['found', 1]);
    await until(() => open === 0, 'The document is still open.', 10 * QUICK.readTimeoutMs);
    await close(slow.server);
  });

  it('a check of many documents times out as a whole and sends no further requests', async () => {
    let requestCount = 0;
    let open = 0;
    const slow = await serveHttp((_request, response) => {
      requestCount += 1;
      open += 1;
      setTimeout(() => {
        open -= 1;
        response.writeHead(200, { 'content-length': '1' }).end();
      }, 100);
    });
    const keys = Array.from({ length: 1_000 }, (_, i) => keyOf(`many/${i}`));
    const start = performance.now();
    await expect(storeAt(slow.endpoint, { limits: QUICK }).existing(keys)).rejects.toMatchObject({
      reason: 'ETIMEDOUT',
    });
    expect(performance.now() - start).toBeLessThan(5_000);
    // Each answer would be followed by another request.
    await until(
      () => open === 0,
      () => `${open} requests are not answered`,
    );
    expect(requestCount).toBeLessThan(100);
    await close(slow.server);
  });

  it('gets at most maxConcurrent requests at the same time', async () => {
    let open = 0;
    let maxOpen = 0;
    const counting = await serveHttp((_request, response) => {
      maxOpen = Math.max(maxOpen, (open += 1));
      setTimeout(() => {
        open -= 1;
        response.writeHead(200, { 'content-length': '1' }).end();
      }, 5);
    });
    const keys = Array.from({ length: 100 }, (_, i) => keyOf(`many/${i}`));
    // A busy machine may take longer than the usual limits.
    const limits = { ...LIMITS, operationTimeoutMs: 30_000, checkTimeoutMs: 30_000 };
    const store = storeAt(counting.endpoint, { limits });
    await Promise.all([store.existing(keys), store.existing(keys)]);
    expect(maxOpen).toBe(LIMITS.maxConcurrent);
    await close(counting.server);
  });
});

async function listen(server: Server): Promise<{ server: Server; endpoint: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function serveHttp(listener: RequestListener): Promise<{ server: Server; endpoint: string }> {
  return listen(createHttpServer(listener));
}

async function close(server: Server): Promise<void> {
  (server as Partial<{ closeAllConnections(): void }>).closeAllConnections?.();
  await new Promise((resolve) => server.close(resolve));
}
