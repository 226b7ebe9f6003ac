import { createServer as createSecureServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { listenLocally } from '@portage/testing/local-server';
import { hangUp, json, silent, TestServer } from '@portage/testing/test-server';
import { WebhookSender } from '../src/webhooks/webhook-sender';
import type { ResolveName } from '../src/webhooks/checked-lookup';
import { CERTIFICATE, PRIVATE_KEY } from './certificate';

const LOCAL = { WEBHOOK_ALLOW_HTTP: true, WEBHOOK_ALLOWED_NETWORKS: ['127.0.0.1/32'] };
const REQUEST = { headers: { 'content-type': 'application/json', 'webhook-id': '1' }, body: '{"a":1}' };
const LIMITS = { timeoutMs: 60_000, maxResponseBytes: 65_536 };
/** The time of an attempt that a receiver does not end. */
const SHORT_MS = 1_000;

const started: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(async (one) => one.stop()));
});

async function receiver(...args: Parameters<typeof TestServer.start>): Promise<TestServer> {
  const one = await TestServer.start(...args);
  started.push(one);
  return one;
}

/** A server that is not one of HTTP. */
async function rawReceiver(onConnection: (socket: Socket) => void): Promise<string> {
  const { url, stop } = await listenLocally(createServer(onConnection));
  started.push({ stop });
  return url;
}

const senderWith = (resolve?: ResolveName, settings = LOCAL) =>
  new WebhookSender(settings, { limits: LIMITS, ...(resolve ? { resolve } : {}) });
const impatient = new WebhookSender(LOCAL, { limits: { ...LIMITS, timeoutMs: SHORT_MS } });

/** Sends one request on a channel of its own. */
async function sendTo(url: string, sender = senderWith()) {
  const channel = sender.open(url);
  try {
    return await channel.send(REQUEST);
  } finally {
    channel.close();
  }
}

describe('an attempt', () => {
  it('delivers headers and body with POST, to the path of the URL', async () => {
    const target = await receiver(json(204));
    const result = await sendTo(`${target.url}/hooks?source=portage`);
    expect(result).toEqual({ status: 204, error: null, durationMs: expect.any(Number) });
    expect(target.requests).toMatchObject([
      {
        method: 'POST',
        path: '/hooks?source=portage',
        body: '{"a":1}',
        headers: { host: `127.0.0.1:${target.port}`, 'webhook-id': '1', 'content-length': '7' },
      },
    ]);
  });

  it.each([400, 404, 410, 429, 500, 503])('fails with the status %d', async (status) => {
    const target = await receiver(json(status, 'no'));
    expect(await sendTo(target.url)).toMatchObject({ status, error: 'http_status' });
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect with the status %d', async (status) => {
    const elsewhere = await receiver(json(200));
    const target = await receiver(json(status, undefined, { location: elsewhere.url }));
    expect(await sendTo(target.url)).toMatchObject({ status, error: 'http_status' });
    expect(elsewhere.connectionCount).toBe(0);
  });

  it('fails after its time if the receiver does not answer', async () => {
    const target = await receiver(silent);
    const result = await sendTo(target.url, impatient);
    expect(result).toMatchObject({ status: null, error: 'timeout' });
    expect(result.durationMs).toBeLessThan(10 * SHORT_MS);
  });

  it('fails after its time if the receiver sends its headers byte by byte', async () => {
    const url = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('H'), 50);
      socket.on('close', () => {
        clearInterval(timer);
      });
    });
    const { status, error } = await sendTo(url, impatient);
    expect([status, ['timeout', 'response_invalid'].includes(error!)]).toEqual([null, true]);
  });

  it('is decided by the status of a receiver whose body never ends', async () => {
    const target = await receiver((_request, response) => {
      response.writeHead(200).write('begun');
    });
    const result = await sendTo(target.url, impatient);
    expect(result).toMatchObject({ status: 200, error: null });
    expect(result.durationMs).toBeLessThan(10 * SHORT_MS);
  });

  it('reads no more than 64 kB of an answer of 10 MB', async () => {
    let written = 0;
    const target = await receiver((_request, response) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const write = () => {
        while (written < 10_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', write);
            return;
          }
        }
      };
      write();
    });
    expect(await sendTo(target.url)).toMatchObject({ status: 200, error: null });
    // What the buffers of the operating system hold was written too.
    expect(written).toBeLessThan(8_000_000);
  });

  it('fails if the receiver closes the connection', async () => {
    const target = await receiver(hangUp);
    expect(await sendTo(target.url)).toMatchObject({ status: null, error: 'connection_closed' });
  });

  it('fails if no server listens', async () => {
    const target = await TestServer.start(silent);
    const { url } = target;
    await target.stop();
    expect(await sendTo(url)).toMatchObject({ status: null, error: 'connection_failed' });
  });

  it('fails if the server does not speak HTTP', async () => {
    const url = await rawReceiver((socket) => socket.end('220 mail.example ESMTP\r\n'));
    expect(await sendTo(url)).toMatchObject({ status: null, error: 'response_invalid' });
  });
});

describe('the connection', () => {
  it('is kept for the next request of the channel, and opened again after the receiver has closed it', async () => {
    const target = await receiver(json(200, 'ok'));
    const channel = senderWith().open(target.url);
    await channel.send(REQUEST);
    await channel.send(REQUEST);
    expect([target.connectionCount, target.requests.length]).toEqual([1, 2]);
    target.cut();
    expect(await channel.send(REQUEST)).toMatchObject({ status: 200, error: null });
    expect(target.connectionCount).toBe(2);
    channel.close();
  });
});

describe('a webhook over https', () => {
  async function secureReceiver(): Promise<string> {
    const server = await listenLocally(
      createSecureServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) => response.end()),
    );
    started.push(server);
    return String(server.port);
  }
  const settings = { ...LOCAL, WEBHOOK_ALLOW_HTTP: false };
  const resolve = async () => Promise.resolve(['127.0.0.1']);

  it('a receiver with a trusted certificate is reached by its name', async () => {
    const port = await secureReceiver();
    const sender = new WebhookSender(settings, { limits: LIMITS, resolve, ca: CERTIFICATE });
    expect(await sendTo(`https://receiver.test:${port}/`, sender)).toMatchObject({
      status: 200,
      error: null,
    });
  });

  it('a certificate of another name or an unknown authority fails the attempt, whatever the environment says', async () => {
    const port = await secureReceiver();
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const trusting = new WebhookSender(settings, { limits: LIMITS, resolve, ca: CERTIFICATE });
      expect(await sendTo(`https://other.test:${port}/`, trusting)).toMatchObject({ error: 'tls_failed' });
      const usual = new WebhookSender(settings, { limits: LIMITS, resolve });
      expect(await sendTo(`https://receiver.test:${port}/`, usual)).toMatchObject({ error: 'tls_failed' });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });
});

describe('no way inside', () => {
  const answering = async (host = '127.0.0.1') => receiver(json(200), { host });

  it('http is refused at the next attempt after the setting was removed', async () => {
    const target = await answering();
    const sender = senderWith(undefined, { ...LOCAL, WEBHOOK_ALLOW_HTTP: false });
    expect([(await sendTo(target.url, sender)).error, target.connectionCount]).toEqual(['url_refused', 0]);
  });
});
