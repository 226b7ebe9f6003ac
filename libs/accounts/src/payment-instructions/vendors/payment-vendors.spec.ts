import { type Config, loadConfig, Logger, Metrics } from '@portage/platform';
import { json, silent, TestServer } from '@portage/testing/test-server';
import { CARD, mandate, MANDATE, paymentMethod, stripeError } from '../../../test/vendor-responses';
import type { InstructionClaim } from './payment-vendor';
import { PaymentVendors } from './payment-vendors';
import { VendorMetrics } from './vendor-metrics';

const card: InstructionClaim = { reference: CARD, type: 'CARD' };
const directDebit: InstructionClaim = { reference: MANDATE, type: 'DIRECT_DEBIT' };

let stripe: TestServer;
let goCardless: TestServer;
let metrics: Metrics;
let vendorMetrics: VendorMetrics;
beforeEach(async () => {
  [stripe, goCardless] = await Promise.all([TestServer.start(silent), TestServer.start(silent)]);
  metrics = new Metrics();
  vendorMetrics = new VendorMetrics(metrics);
});
afterEach(async () => {
  await Promise.all([stripe.stop(), goCardless.stop()]);
});

function vendors(changes: Partial<Config> = {}): PaymentVendors {
  const settings: Config = {
    ...loadConfig('cli', { DATABASE_URL: 'postgres://127.0.0.1/portage' }),
    STRIPE_API_KEY: 'sk_live_51Hverysecretkey',
    STRIPE_API_BASE: stripe.url,
    GOCARDLESS_ACCESS_TOKEN: 'live_verysecrettoken',
    GOCARDLESS_API_BASE: goCardless.url,
    PLATFORM_TIMEZONE: 'UTC',
    VENDOR_TIMEOUT_MS: 1_000,
    ...changes,
  };
  const limits = { maxResponseBytes: 100_000, breaker: { maxFailures: 3, pauseMs: 60_000 } };
  return new PaymentVendors(settings, vendorMetrics, new Logger({ LOG_LEVEL: 'silent' }), limits);
}

const sample = async (name: string, labels: string) =>
  (await metrics.registry.getSingleMetricAsString(name)).split('\n').find((line) => line.includes(labels));

describe('the payment vendors', () => {
  it('are selected by the vendor code of the request, in any letter case', async () => {
    stripe.respond = json(200, paymentMethod());
    goCardless.respond = json(200, mandate());
    const paymentVendors = vendors();
    for (const code of ['STRIPE', 'stripe', 'Stripe'])
      expect(await paymentVendors.verify(code, card)).toMatchObject({ outcome: 'verified' });
    expect(await paymentVendors.verify('gocardless', directDebit)).toMatchObject({
      outcome: 'verified',
      instruction: { vendor: 'GOCARDLESS' },
    });
    expect([stripe.requests.length, goCardless.requests.length]).toEqual([3, 1]);
  });

  it.each(['VENDOR_A', '', 'STRIPE ', 'constructor'])('do not include %j', async (code) => {
    expect(await vendors().verify(code, card)).toMatchObject({
      outcome: 'refused',
      code: 'vendor_not_supported',
    });
  });

  it.each<[string, InstructionClaim, string]>([
    ['STRIPE', { ...card, type: 'DIRECT_DEBIT' }, 'instruction_type_not_supported'],
    ['STRIPE', { ...card, type: 'CUSTOM' }, 'instruction_type_not_supported'],
    ['GOCARDLESS', { ...directDebit, type: 'CARD' }, 'instruction_type_not_supported'],
    ['STRIPE', { ...card, reference: MANDATE }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: 'pm_' }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: 'pm_1/../../customers' }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: 'pm_1?expand[]=customer' }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: 'pm_1%2f' }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: ' pm_1' }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: 'pm_1\n' }, 'invalid_reference'],
    ['STRIPE', { ...card, reference: `pm_${'1'.repeat(500)}` }, 'invalid_reference'],
    ['GOCARDLESS', { ...directDebit, reference: CARD }, 'invalid_reference'],
    ['GOCARDLESS', { ...directDebit, reference: 'MD' }, 'invalid_reference'],
    ['GOCARDLESS', { ...directDebit, reference: 'MD1/actions/cancel' }, 'invalid_reference'],
    ['GOCARDLESS', { ...directDebit, reference: 'MD1\r\nX: y' }, 'invalid_reference'],
  ])('refuse for %s %j without a request: %s', async (vendor, claim, code) => {
    expect(await vendors().verify(vendor, claim)).toMatchObject({ outcome: 'refused', code });
    expect([...stripe.requests, ...goCardless.requests]).toEqual([]);
  });

  it('wait at most for the timeout of the call and at most for VENDOR_TIMEOUT_MS', async () => {
    const durationOf = async (timeoutMs: number, configured: number) => {
      const start = performance.now();
      const outcome = await vendors({ VENDOR_TIMEOUT_MS: configured }).verify('STRIPE', card, { timeoutMs });
      expect(outcome).toMatchObject({ code: 'vendor_timeout' });
      return performance.now() - start;
    };
    expect(await durationOf(100, 5_000)).toBeLessThan(4_000);
    expect(await durationOf(30_000, 100)).toBeLessThan(4_000);
    expect(await durationOf(0, 5_000)).toBeLessThan(4_000);
    expect(await durationOf(-5, 5_000)).toBeLessThan(4_000);
  });

  it('a vendor without a key is unavailable, and its circuit breaker stays closed', async () => {
    const unconfigured = vendors({ STRIPE_API_KEY: undefined });
    for (let i = 0; i < 10; i++)
      expect(await unconfigured.verify('STRIPE', card)).toMatchObject({
        outcome: 'unavailable',
        code: 'vendor_not_configured',
      });
    expect(await unconfigured.verify('STRIPE', { ...card, reference: '?' })).toMatchObject({
      outcome: 'refused',
    });
    unconfigured.observeBreakers();
    expect(await sample('portage_vendor_breaker', 'vendor="STRIPE",state="closed"')).toMatch(/ 1$/);
  });

  it('have separate circuit breakers, which ignore claims that are refused without a request', async () => {
    stripe.respond = json(500, {});
    goCardless.respond = json(200, mandate());
    const paymentVendors = vendors();
    for (let i = 0; i < 3; i++) {
      await paymentVendors.verify('STRIPE', card);
      await paymentVendors.verify('STRIPE', { ...card, reference: 'bad' });
    }
    expect(await paymentVendors.verify('STRIPE', card)).toMatchObject({ code: 'vendor_paused' });
    expect(stripe.requests).toHaveLength(3);
    expect(await paymentVendors.verify('GOCARDLESS', directDebit)).toMatchObject({ outcome: 'verified' });
    paymentVendors.observeBreakers();
    expect(await sample('portage_vendor_breaker', 'vendor="STRIPE",state="open"')).toMatch(/ 1$/);
    expect(await sample('portage_vendor_breaker', 'vendor="STRIPE",state="closed"')).toMatch(/ 0$/);
    expect(await sample('portage_vendor_breaker', 'vendor="GOCARDLESS",state="closed"')).toMatch(/ 1$/);
  });

  it('are counted by vendor, outcome and code, without text of a client as a label', async () => {
    const paymentVendors = vendors();
    stripe.respond = json(200, paymentMethod());
    await paymentVendors.verify('STRIPE', card);
    stripe.respond = json(404, stripeError('resource_missing', 'No such PaymentMethod'));
    await paymentVendors.verify('STRIPE', card);
    await paymentVendors.verify('a-client-wrote-this', card);
    const counted = await metrics.registry.getSingleMetricAsString('portage_vendor_calls_total');
    expect(counted.split('\n').filter((line) => !/^#| 0$/.test(line))).toEqual([
      'portage_vendor_calls_total{vendor="STRIPE",outcome="verified",code=""} 1',
      'portage_vendor_calls_total{vendor="STRIPE",outcome="refused",code="instruction_not_found"} 1',
      'portage_vendor_calls_total{vendor="other",outcome="refused",code="vendor_not_supported"} 1',
    ]);
  });
});
