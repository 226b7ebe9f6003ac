import { Webhook } from 'standardwebhooks';
import { receiveWebhook, WebhookRefused } from './webhook';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const EVENT = {
  type: 'data_import.import_process.complete-v1',
  timestamp: '2026-11-22T10:02:11.120000+00:00',
  data: { import_supplier: 'DEMO' },
};
const now = new Date('2026-11-22T10:02:11Z');
const clock = { now: () => now.getTime() };

/** A request as the library of the specification signs it. */
function signed(body: string, { secret = SECRET, at = now } = {}) {
  const headers: Record<string, string> = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
  return { headers, body };
}

const receive = ({ headers, body }: ReturnType<typeof signed>, secret: string | string[] = SECRET) =>
  receiveWebhook(headers, body, { secret, clock });

describe('a request to a webhook endpoint', () => {
  it('is read if it is signed with the secret, also as bytes and during a rotation', () => {
    const request = signed(JSON.stringify(EVENT));
    const expected = { id: 'evt_1', ...EVENT, challengeAnswer: undefined };
    expect(receive(request)).toEqual(expected);
    expect(receive(request, [OTHER, SECRET])).toEqual(expected);
    expect(receiveWebhook(request.headers, Buffer.from(request.body), { secret: SECRET, clock })).toEqual(
      expected,
    );
    const second = signed(request.body, { secret: OTHER }).headers['webhook-signature']!;
    const first = request.headers['webhook-signature']!;
    request.headers['webhook-signature'] = `${first} ${second}`;
    expect(receive(request, OTHER)).toEqual(expected);
  });

  it('has the answer to a challenge', () => {
    const body = JSON.stringify({
      ...EVENT,
      type: 'data_import.webhook_verification-v1',
      data: { webhook_endpoint: '3', challenge: 'abc"d' },
    });
    expect(JSON.parse(receive(signed(body)).challengeAnswer!)).toEqual({ challenge: 'abc"d' });
  });

  it.each<[string, (request: ReturnType<typeof signed>) => ReturnType<typeof signed>]>([
    ['without an id', ({ headers, body }) => ({ headers: { ...headers, 'webhook-id': '' }, body })],
    ['with another secret', ({ body }) => signed(body, { secret: OTHER })],
    ['whose body was changed', ({ headers, body }) => ({ headers, body: body.replace('DEMO', 'OTHER') })],
    [
      'whose id was changed',
      ({ headers, body }) => ({ headers: { ...headers, 'webhook-id': 'evt_2' }, body }),
    ],
    ['that is six minutes old', ({ body }) => signed(body, { at: new Date(now.getTime() - 360_000) })],
    ['from the future', ({ body }) => signed(body, { at: new Date(now.getTime() + 360_000) })],
    ['that is not an event', () => signed('[]')],
    ['that is not JSON', () => signed('{')],
  ])('is refused %s', (_what, change) => {
    expect(() => receive(change(signed(JSON.stringify(EVENT))))).toThrow(WebhookRefused);
  });
});
