import { Webhook } from 'standardwebhooks';
import { createWebhookSecret, webhookHeaders } from './webhook-signature';

const BODY = '{"type":"data_import.submission.finished-v1","data":{"text":"Zoë 🚚"}}';

describe('the signature of a webhook', () => {
  it('is accepted by the library of the Standard Webhooks specification', () => {
    const secret = createWebhookSecret();
    const headers = webhookHeaders('12-1-1-PROCESSED', new Date(), BODY, [secret]);
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it('equals the one that the library makes, for the example of the specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const at = new Date(1_614_265_330_000);
    const headers = webhookHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}', [secret]);
    expect(headers['webhook-timestamp']).toBe('1614265330');
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('a signature during a rotation is accepted with the old and with the new secret', () => {
    const secrets = [createWebhookSecret(), createWebhookSecret()];
    const headers = webhookHeaders('1', new Date(), BODY, secrets);
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of secrets) expect(new Webhook(secret).verify(BODY, headers)).toBeTruthy();
  });

  it.each([
    ['the body', (headers: Record<string, string>) => headers, `${BODY} `],
    ['the id', (headers: Record<string, string>) => ({ ...headers, 'webhook-id': '2' }), BODY],
    [
      'the time',
      (headers: Record<string, string>) => ({
        ...headers,
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 1),
      }),
      BODY,
    ],
  ])('is refused after a change of %s', (_part, change, body) => {
    const secret = createWebhookSecret();
    const headers = webhookHeaders('1', new Date(), BODY, [secret]);
    expect(() => new Webhook(secret).verify(body, change(headers))).toThrow();
  });

  it('has a secret of 32 random bytes', () => {
    const secrets = new Set(Array.from({ length: 20 }, createWebhookSecret));
    expect(secrets.size).toBe(20);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  });
});
