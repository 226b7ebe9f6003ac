import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, SharedPortage, staysTrue, until } from '@portage/testing';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';

const ENDPOINTS = '/v2/data-import/webhook-endpoints/';
const COMPLETE = 'data_import.import_process.complete-v1';

/** The attack: each second each of the endpoints of one host is replayed from the beginning. */
const ATTACKED_ENDPOINTS = 6;
const ATTACK_SECONDS = 8;
const ACCOUNTS = 200;

/** Two endpoints of a host at a time, 100 events a second each, and what timers and the start of turns add. */
const MAX_REQUESTS_PER_SECOND = 2 * 100 * 1.2;

let attacker: SharedPortage;
let victim: SharedPortage;
let target: WebhookReceiver;
let other: WebhookReceiver;

beforeAll(async () => {
  const accept: Parameters<typeof WebhookReceiver.start>[0] = (_request, response) =>
    response.writeHead(204).end();
  [target, other] = await Promise.all([WebhookReceiver.start(accept), WebhookReceiver.start(accept)]);
  [attacker, victim] = await Promise.all([SharedPortage.join('postgres'), SharedPortage.join('postgres')]);
});
afterAll(async () => {
  for (const portage of [attacker, victim]) {
    const { body } = await portage.get(`${ENDPOINTS}?supplier=${portage.supplier}`);
    for (const { id } of body as { id: string }[]) await portage.send('DELETE', `${ENDPOINTS}${id}/`);
    await portage.leave();
  }
  await Promise.all([target.stop(), other.stop()]);
});

async function createVerified(portage: SharedPortage, url: string): Promise<string> {
  const { body } = await portage.post(ENDPOINTS, {
    import_supplier: portage.supplier,
    url,
    types: [COMPLETE],
  });
  expect((await portage.send('POST', `${ENDPOINTS}${body.id}/verify/`)).body).toMatchObject({
    verified: true,
  });
  return body.id as string;
}

async function importAccounts(portage: SharedPortage, prefix: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  await Promise.all(numbers.map(async (number) => portage.schedule(portage.account(number))));
  await Promise.all(numbers.map(async (number) => portage.waitForAccount(number, 'PROCESSED')));
}

/** The milliseconds from a request to import an account until its event has arrived. */
async function measureDelivery(number: string): Promise<number> {
  const startedAt = performance.now();
  await victim.schedule(victim.account(number));
  await until(
    () => other.requests.some(({ body }) => body.includes(`"${number}"`)),
    `The event of ${number} is delivered.`,
  );
  return performance.now() - startedAt;
}

it('replays of one organisation are few, at a bounded rate, and delay no delivery of another one', async () => {
  await importAccounts(attacker, 'R', ACCOUNTS);
  const ids: string[] = [];
  for (let count = 0; count < ATTACKED_ENDPOINTS; count += 1)
    ids.push(await createVerified(attacker, `${target.url}/${count}`));
  await createVerified(victim, other.url);
  const alone = Math.max(await measureDelivery('ALONE-1'), await measureDelivery('ALONE-2'));

  const replays: Answer[] = [];
  const perSecond: number[] = [];
  const delays: number[] = [];
  const attack = async () => {
    for (let second = 0; second < ATTACK_SECONDS; second += 1) {
      const before = target.requests.length;
      const pause = sleep(1_000);
      for (const id of ids)
        replays.push(await attacker.post(`${ENDPOINTS}${id}/replay/`, { after: 'beginning' }));
      await pause;
      perSecond.push(target.requests.length - before);
    }
  };
  const measure = async () => {
    for (let count = 1; count <= 3; count += 1) delays.push(await measureDelivery(`UNDER-${count}`));
  };
  await Promise.all([attack(), measure()]);
  const [stored] = await attacker.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_attempt WHERE endpoint_id = ANY($1::bigint[])',
    [ids],
  );
  const accepted = replays.filter(({ status }) => status === 200).length;
  const figures = { accepted, perSecond, stored: stored!.count, alone, delays };
  process.stdout.write(`Replay of webhooks: ${JSON.stringify(figures)}\n`);

  expect(accepted).toBe(20);
  const refused = replays.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(60);
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(MAX_REQUESTS_PER_SECOND);
  // Turns of ten seconds of an attacker with every place of a dispatcher would show.
  expect(Math.max(...delays)).toBeLessThan(alone + 5_000);
});

it('a URL whose owner does not return the challenge gets one request for each challenge, and nothing else', async () => {
  const stranger = await WebhookReceiver.start((_request, response) => response.writeHead(200).end('ok'), {
    returnsChallenges: false,
  });
  try {
    const { body } = await attacker.post(ENDPOINTS, {
      import_supplier: attacker.supplier,
      url: stranger.url,
      types: [COMPLETE],
    });
    const answer = await attacker.send('POST', `${ENDPOINTS}${body.id}/verify/`);
    expect(answer.body).toMatchObject({ verified: false, error: { code: 'challenge_not_returned' } });
    await attacker.send('POST', `${ENDPOINTS}${body.id}/test/`);
    await attacker.send('POST', `${ENDPOINTS}${body.id}/enable/`);
    await importAccounts(attacker, 'S', 1);
    // A dispatcher looks for endpoints each second.
    await staysTrue(() => stranger.requests.length === 1, 3_000);
    expect((await attacker.get(`${ENDPOINTS}${body.id}/`)).body).toMatchObject({ status: 'UNVERIFIED' });
  } finally {
    await stranger.stop();
  }
});
