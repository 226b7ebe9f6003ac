import { NameServer, type NameAnswer, type Question } from '@portage/testing/name-server';
import { json, TestServer } from '@portage/testing/test-server';
import { resolveWithDns } from '../src/webhooks/checked-lookup';
import { WebhookSender } from '../src/webhooks/webhook-sender';

/** Allowed, so that it takes the part of a public address. */
const PUBLIC = '127.0.0.1';
/** Not allowed, and a server listens there. */
const INTERNAL = '127.0.0.2';

const SETTINGS = { WEBHOOK_ALLOW_HTTP: true, WEBHOOK_ALLOWED_NETWORKS: [`${PUBLIC}/32`] };
const REQUEST = { headers: { 'webhook-id': '1' }, body: '{}' };

let outside: TestServer;
let inside: TestServer;
let names: NameServer | undefined;

beforeEach(async () => {
  outside = await TestServer.start(json(204));
  // Both have one port, so that the same URL reaches either.
  inside = await TestServer.start(json(204), { host: INTERNAL, port: outside.port });
});
afterEach(async () => {
  await Promise.all([outside.stop(), inside.stop(), names?.stop()]);
  names = undefined;
});

/** A sender whose name server answers each question by `answer`. */
async function senderWith(answer: (question: Question) => NameAnswer, timeoutMs = 60_000) {
  const server = await NameServer.start(answer);
  names = server;
  return new WebhookSender(SETTINGS, {
    limits: { timeoutMs, maxResponseBytes: 65_536 },
    resolve: async (name) => resolveWithDns(name, [server.address]),
  });
}

/** Answers questions for IPv4 addresses one after the other; the last answer stays. */
function inTurn(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  return ({ type }: Question): NameAnswer => {
    if (type !== 'A') return { addresses: [] };
    asked += 1;
    return { addresses: answers[Math.min(asked, answers.length) - 1] ?? [] };
  };
}

const urlOf = (host = 'rebinding.test') => `http://${host}:${outside.port}/`;
const connections = () => [outside.connectionCount, inside.connectionCount];

async function send(sender: WebhookSender, url = urlOf()) {
  const channel = sender.open(url);
  try {
    const { status, error } = await channel.send(REQUEST);
    return [status, error];
  } finally {
    channel.close();
  }
}

describe('a name server that changes its answer', () => {
  it('a request goes to the address that was checked: the name is resolved once for it', async () => {
    const sender = await senderWith(inTurn([PUBLIC], [INTERNAL]));
    expect(await send(sender)).toEqual([204, null]);
    expect(names!.questions).toEqual([
      { name: 'rebinding.test', type: 'A' },
      { name: 'rebinding.test', type: 'AAAA' },
    ]);
    expect(connections()).toEqual([1, 0]);
  });

  it('the next attempt is refused, and so are a hundred that alternate', async () => {
    let count = 0;
    const sender = await senderWith(({ type }) =>
      type === 'A' ? { addresses: [(count += 1) % 2 === 1 ? PUBLIC : INTERNAL] } : { addresses: [] },
    );
    const results = [];
    for (let attempt = 0; attempt < 100; attempt += 1) results.push(await send(sender));
    expect(results.filter(([status]) => status === 204)).toHaveLength(50);
    expect(results.filter(([, error]) => error === 'address_refused')).toHaveLength(50);
    expect(connections()).toEqual([50, 0]);
  });

  it('a new connection of an open channel is refused', async () => {
    const sender = await senderWith(inTurn([PUBLIC], [INTERNAL]));
    const channel = sender.open(urlOf());
    expect(await channel.send(REQUEST)).toMatchObject({ status: 204 });
    // The open connection stays with its address, whatever the name means by now.
    expect(await channel.send(REQUEST)).toMatchObject({ status: 204 });
    outside.cut();
    expect(await channel.send(REQUEST)).toMatchObject({ error: 'address_refused' });
    channel.close();
    expect(connections()).toEqual([1, 0]);
  });

  it('requests at the same time reach checked addresses only', async () => {
    let count = 0;
    const sender = await senderWith(({ type }) =>
      type === 'A' ? { addresses: [(count += 1) % 2 === 1 ? PUBLIC : INTERNAL] } : { addresses: [] },
    );
    const results = await Promise.all(Array.from({ length: 40 }, async () => send(sender)));
    expect(results.filter(([status]) => status === 204)).toHaveLength(outside.connectionCount);
    expect(inside.connectionCount).toBe(0);
  });
});

describe('one answer', () => {
  it.each<[string, NameAnswer]>([
    ['with both addresses', { addresses: [PUBLIC, INTERNAL] }],
    ['with both addresses, the internal one first', { addresses: [INTERNAL, PUBLIC] }],
    ['with the internal address alone', { addresses: [INTERNAL] }],
    ['with a public IPv4 and a loopback IPv6 address', { addresses: [PUBLIC, '::1'] }],
    ['with an IPv6 address that stands for the internal one', { addresses: ['::ffff:7f00:2'] }],
    ['with the metadata address', { addresses: ['169.254.169.254'] }],
    ['with the address of every interface', { addresses: ['0.0.0.0'] }],
    ['that is an alias of an internal name', { alias: 'db.internal', addresses: [INTERNAL] }],
    ['without an address', { addresses: [] }],
    ['that there is no such name', { error: 'NXDOMAIN' }],
    ['that the server has failed', { error: 'SERVFAIL' }],
  ])('%s is refused without a connection', async (_kind, answer) => {
    const sender = await senderWith(() => answer);
    expect(await send(sender)).toEqual([null, 'address_refused']);
    expect(connections()).toEqual([0, 0]);
  });

  it('an alias of a name with a public address is used', async () => {
    const sender = await senderWith(() => ({ alias: 'edge.test', addresses: [PUBLIC] }));
    expect(await send(sender)).toEqual([204, null]);
    expect(connections()).toEqual([1, 0]);
  });

  it('an answer that never comes costs the time of an attempt', async () => {
    const sender = await senderWith(() => 'silence', 1_000);
    const startedAt = performance.now();
    expect(await send(sender)).toEqual([null, 'timeout']);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(connections()).toEqual([0, 0]);
  });
});

describe('a redirect', () => {
  it.each(['http://169.254.169.254/', 'http://inside.test:PORT/', `http://${INTERNAL}:PORT/`])(
    'a redirect to %s is not followed, and its name is not resolved',
    async (location) => {
      const target = location.replace('PORT', String(outside.port));
      const redirecting = await TestServer.start(json(307, undefined, { location: target }));
      try {
        const sender = await senderWith(({ name }) => ({
          addresses: [name === 'inside.test' ? INTERNAL : PUBLIC],
        }));
        expect(await send(sender, `http://rebinding.test:${redirecting.port}/`)).toEqual([
          307,
          'http_status',
        ]);
        expect(names!.questions.map(({ name }) => name)).toEqual(['rebinding.test', 'rebinding.test']);
        expect(connections()).toEqual([0, 0]);
      } finally {
        await redirecting.stop();
      }
    },
  );
});
