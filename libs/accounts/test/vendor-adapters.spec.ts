import { systemClock } from '@portage/platform';
import { ManualClock } from '@portage/testing/manual-clock';
import {
  byteByByte,
  endless,
  halfOf,
  hangUp,
  json,
  reset,
  type Responder,
  silent,
  TestServer,
  text,
  unfinished,
} from '@portage/testing/test-server';
import { until } from '@portage/testing/until';
import { GoCardlessMandates } from '../src/payment-instructions/vendors/gocardless-mandates';
import type {
  InstructionClaim,
  PaymentVendor,
  VendorOutcome,
} from '../src/payment-instructions/vendors/payment-vendor';
import { StripeCards } from '../src/payment-instructions/vendors/stripe-cards';
import { VendorAccess } from '../src/payment-instructions/vendors/vendor-access';
import { CARD, goCardlessError, mandate, MANDATE, paymentMethod, stripeError } from './vendor-responses';

const KEY = 'sk_live_51Hverysecretkey';
const MAX_BYTES = 100_000;

let vendor: TestServer;
let otherVendor: TestServer;
beforeEach(async () => {
  [vendor, otherVendor] = await Promise.all([TestServer.start(silent), TestServer.start(silent)]);
});
afterEach(async () => {
  await Promise.all([vendor.stop(), otherVendor.stop()]);
});

interface Case {
  name: string;
  adapter: (access: VendorAccess) => PaymentVendor;
  claim: InstructionClaim;
  path: string;
  version: Record<string, string>;
  resource: object;
  error: (status: number, message: string) => object;
}

const CASES: Case[] = [
  {
    name: 'Stripe',
    adapter: (access) => new StripeCards(access, systemClock),
    claim: { reference: CARD, type: 'CARD' },
    path: `/v1/payment_methods/${CARD}`,
    version: { 'stripe-version': '2026-10-28.endive' },
    resource: paymentMethod(),
    error: (status, message) => stripeError(status === 404 ? 'resource_missing' : 'other', message),
  },
  {
    name: 'GoCardless',
    adapter: (access) => new GoCardlessMandates(access, systemClock),
    claim: { reference: MANDATE, type: 'DIRECT_DEBIT' },
    path: `/mandates/${MANDATE}`,
    version: { 'gocardless-version': '2015-07-06' },
    resource: mandate(),
    error: (status, message) => goCardlessError(status, 'invalid_api_usage', message),
  },
];

describe.each(CASES)('$name', ({ adapter, claim, path, version, resource, error }) => {
  const verify = async (behave: Responder, timeoutMs = 2_000, base = vendor.url): Promise<VendorOutcome> => {
    vendor.respond = behave;
    const outcome = await adapter(new VendorAccess(base, KEY, MAX_BYTES, 'UTC')).verify(claim, timeoutMs);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
    return outcome;
  };
  const expectOneRequest = () => {
    expect(vendor.requests.map((request) => request.path)).toEqual([path]);
  };

  it('gets one request with its key and the version of its API, and confirms the instruction', async () => {
    const outcome = await verify(json(200, resource));
    expect(outcome).toMatchObject({ outcome: 'verified', instruction: { ...claim } });
    expectOneRequest();
    expect(vendor.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, ...version });
  });

  it('may have a base URL with a path', async () => {
    await verify(json(200, resource), 2_000, `${vendor.url}/gateway/`);
    expect(vendor.requests.map((request) => request.path)).toEqual([`/gateway${path}`]);
  });

  it.each([
    [404, 'instruction_not_found'],
    [401, 'vendor_access_denied'],
    [403, 'vendor_access_denied'],
    [400, 'vendor_refused'],
    [409, 'vendor_refused'],
    [410, 'vendor_refused'],
    [422, 'vendor_refused'],
  ])('a response with status %i refuses permanently, without text of the vendor', async (status, code) => {
    const outcome = await verify(json(status, error(status, `Invalid API Key provided: ${KEY}`)));
    expect(outcome).toEqual({ outcome: 'refused', code, detail: expect.any(String) });
    expect(JSON.stringify(outcome)).not.toContain('API Key');
    expectOneRequest();
  });

  it.each<[string, Responder, string]>([
    ['429', json(429, {}), 'vendor_rate_limited'],
    ['408', json(408, {}), 'vendor_error'],
    ['500', json(500, {}), 'vendor_error'],
    ['500 that says try again', json(500, {}, { 'stripe-should-retry': 'true' }), 'vendor_error'],
    ['502 from a proxy', text(502, '<html>Bad Gateway</html>'), 'vendor_error'],
    ['503', json(503, {}), 'vendor_error'],
    ['a reset connection', reset, 'vendor_unreachable'],
    ['a closed connection', hangUp, 'vendor_unreachable'],
    ['half a response', halfOf(resource), 'vendor_unreachable'],
    ['a response that does not end', unfinished(resource), 'vendor_unreachable'],
    ['something that is not JSON', text(200, '<html>Welcome</html>'), 'vendor_answer_invalid'],
    ['JSON that is cut off', text(200, JSON.stringify(resource).slice(0, -5)), 'vendor_answer_invalid'],
    ['nothing at all', text(200, ''), 'vendor_answer_invalid'],
    ['null', json(200, null), 'vendor_answer_invalid'],
    ['a text', json(200, 'pm_1'), 'vendor_answer_invalid'],
    ['a number', json(200, 5), 'vendor_answer_invalid'],
    ['a list', json(200, [resource]), 'vendor_answer_invalid'],
    ['an empty object', json(200, {}), 'vendor_answer_invalid'],
    ['an error with status 200', json(200, error(404, 'No such thing')), 'vendor_answer_invalid'],
    ['a 404 that is not its own', text(404, '<html>Not here</html>'), 'vendor_answer_invalid'],
    ['a 401 that is not its own', json(401, { message: 'proxy login' }), 'vendor_answer_invalid'],
  ])('is unavailable after %s', async (_case, behave, code) => {
    expect(await verify(behave)).toEqual({ outcome: 'unavailable', code, detail: expect.any(String) });
    expectOneRequest();
  });

  it('is unavailable when its port is closed', async () => {
    const closed = await TestServer.start(silent);
    const { url } = closed;
    await closed.stop();
    expect(await verify(silent, 2_000, url)).toMatchObject({ code: 'vendor_unreachable' });
  });

  it('delays the next request as long as its answer says', async () => {
    expect(await verify(json(429, {}, { 'retry-after': '7' }))).toMatchObject({ retryAfterMs: 7_000 });
  });

  it.each<[string, Responder]>([
    ['never responds', silent],
    ['sends its response byte by byte', byteByByte(resource)],
  ])('a server that %s times out, and its connection is closed', async (_case, behave) => {
    const start = performance.now();
    expect(await verify(behave, 300)).toMatchObject({ outcome: 'unavailable', code: 'vendor_timeout' });
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(4_000);
    expectOneRequest();
    await expectNoConnections();
  });

  it('an endless response is cut off at the size limit', async () => {
    const sent = new Promise<number>((resolve) => {
      vendor.respond = endless(resolve);
    });
    expect(await verify(vendor.respond)).toMatchObject({ code: 'vendor_answer_invalid' });
    expectOneRequest();
    // Bytes in socket buffers were sent but not read.
    expect(await sent).toBeLessThan(MAX_BYTES + 20_000_000);
    await expectNoConnections();
  });

  it.each([302, 429, 500])('an unfinished response with status %i is not read to the end', async (status) => {
    const outcome = await verify((_request, response) => {
      response.writeHead(status, { 'content-length': '1000' }).write('{');
    });
    expect(outcome).toMatchObject({ outcome: 'unavailable' });
    expect(outcome).not.toMatchObject({ code: 'vendor_timeout' });
    await expectNoConnections();
  });

  it.each([301, 302, 303, 307, 308])('a redirect of status %i is not followed', async (status) => {
    otherVendor.respond = json(200, resource);
    const outcome = await verify(json(status, {}, { location: `${otherVendor.url}${path}` }));
    expect(outcome).toMatchObject({ outcome: 'unavailable', code: 'vendor_redirected' });
    expectOneRequest();
    expect(otherVendor.requests).toEqual([]);
  });

  it('a vendor without a key gets no request', async () => {
    const unconfigured = adapter(new VendorAccess(vendor.url, undefined, MAX_BYTES, 'UTC'));
    expect(await unconfigured.verify(claim, 1_000)).toMatchObject({
      outcome: 'unavailable',
      code: 'vendor_not_configured',
    });
    expect(vendor.requests).toEqual([]);
  });

  it('applies a separate deadline to each concurrent request', async () => {
    const answers: (() => void)[] = [];
    vendor.respond = (request, response) => {
      answers.push(() => {
        json(200, resource)(request, response);
      });
    };
    const vendorAdapter = adapter(new VendorAccess(vendor.url, KEY, MAX_BYTES, 'UTC'));
    const send = (timeoutMs: number) => [1, 2].map(async () => vendorAdapter.verify(claim, timeoutMs));
    const long = send(20_000);
    await until(
      () => answers.length === 2,
      () => `${answers.length} requests have arrived`,
    );
    const unavailable = { outcome: 'unavailable' };
    expect(await Promise.all(send(50))).toMatchObject([unavailable, unavailable]);
    for (const answer of answers) answer();
    const verified = { outcome: 'verified' };
    expect(await Promise.all(long)).toMatchObject([verified, verified]);
  });

  async function expectNoConnections(): Promise<void> {
    await until(
      () => vendor.openConnectionCount === 0,
      () => `${vendor.openConnectionCount} connections are open`,
    );
  }
});

describe('Stripe', () => {
  it('checks the expiry of a card in the time zone of the platform', async () => {
    const clockAtMonthEnd = new ManualClock('2026-11-30T23:30:00Z');
    vendor.respond = json(200, paymentMethod({}, { exp_month: 11, exp_year: 2026 }));
    const verifiedIn = async (zone: string) =>
      new StripeCards(new VendorAccess(vendor.url, KEY, MAX_BYTES, zone), clockAtMonthEnd).verify(
        { reference: CARD, type: 'CARD' },
        1_000,
      );
    expect(await verifiedIn('UTC')).toMatchObject({ outcome: 'verified' });
    expect(await verifiedIn('Europe/Berlin')).toMatchObject({ code: 'instruction_expired' });
  });
});
