import { load, problemsOf } from '@portage/testing/settings';

describe('the base URL of a payment vendor', () => {
  it("is the vendor's own by default", () => {
    expect(load({})).toMatchObject({
      STRIPE_API_BASE: 'https://api.stripe.com',
      GOCARDLESS_API_BASE: 'https://api.gocardless.com',
    });
  });

  it.each([
    'https://api-sandbox.gocardless.com',
    'https://gateway.example:8443/gocardless/',
    'http://127.0.0.1:4010',
    'http://localhost:4010',
    'http://[::1]:4010',
  ])('may be %s', (base) => {
    expect(load({ GOCARDLESS_API_BASE: base }).GOCARDLESS_API_BASE).toBe(base);
  });

  it.each([
    'http://api.stripe.com',
    'http://127.0.0.1.example',
    'http://10.0.0.7',
    'ftp://127.0.0.1',
    'api.stripe.com',
    'https://user:hunter2@api.stripe.com',
    'https://api.stripe.com?x=1',
    'https://api.stripe.com#x',
  ])('may not be %s, because the key could leak', (base) => {
    expect(problemsOf({ STRIPE_API_BASE: base })).toEqual({
      STRIPE_API_BASE: 'must be an https:// URL, or an http:// URL of 127.0.0.1 or localhost',
    });
  });
});

describe('the key of a payment vendor', () => {
  it.each(['sk_live_1\n', '\nsk_live_1', 'sk live 12345', '"sk_live_1"\u00a0', 'sk_live_é1'])(
    'may not be %j, because a header cannot contain it',
    (key) => {
      const problems = problemsOf({ STRIPE_API_KEY: key });
      expect(Object.keys(problems)).toEqual(['STRIPE_API_KEY']);
      expect(JSON.stringify(problems)).not.toContain('live');
    },
  );

  it('is used unchanged', () => {
    expect(load({ STRIPE_API_KEY: 'rk_live_51Hx' }).STRIPE_API_KEY).toBe('rk_live_51Hx');
  });
});
