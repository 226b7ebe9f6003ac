import { networkInterfaces } from 'node:os';
import { PaymentVendors, VendorMetrics, type VendorOutcome } from '@portage/accounts';
import { type Config, loadConfig, Logger, Metrics } from '@portage/platform';
import { SandboxVendors } from './sandbox-vendors';

let sandbox: SandboxVendors;
let vendors: PaymentVendors;
beforeEach(async () => {
  sandbox = await SandboxVendors.start();
  const config: Config = loadConfig('cli', {
    DATABASE_URL: 'postgres://127.0.0.1/portage',
    VENDOR_TIMEOUT_MS: '500',
    ...sandbox.settings,
  });
  vendors = new PaymentVendors(config, new VendorMetrics(new Metrics()), new Logger({ LOG_LEVEL: 'silent' }));
});
afterEach(async () => {
  await sandbox.stop();
});

const verify = async (reference: string): Promise<VendorOutcome> =>
  reference.startsWith('pm_')
    ? vendors.verify('STRIPE', { reference, type: 'CARD' })
    : vendors.verify('GOCARDLESS', { reference, type: 'DIRECT_DEBIT' });

describe('the sandbox, with the adapters of the real vendors', () => {
  it.each([
    ['pm_sandboxVisa', { brand: 'visa', lastFour: '4242', expiryMonth: 12, expiryYear: 2049 }],
    ['pm_sandboxVisa0042', { brand: 'visa' }],
    ['pm_sandboxMastercard', { brand: 'mastercard', lastFour: '4444' }],
    ['MDSANDBOXACTIVE', { scheme: 'bacs', bankAccountReference: 'BASANDBOX' }],
    ['MDSANDBOXACTIVE0042', { scheme: 'bacs' }],
    ['MDSANDBOXSUBMITTED', { scheme: 'bacs' }],
  ])('verifies %s', async (reference, details) => {
    expect(await verify(reference)).toMatchObject({
      outcome: 'verified',
      instruction: { reference, details },
    });
  });

  it.each([
    ['pm_sandboxNotFound', 'instruction_not_found'],
    ['pm_sandboxExpired', 'instruction_expired'],
    ['pm_sandboxWrongType', 'instruction_wrong_type'],
    ['pm_sandboxDetached', 'instruction_detached'],
    ['pm_1QfL2eKq8xYb', 'instruction_not_found'],
    ['pm_sandboxconstructor', 'instruction_not_found'],
    ['MDSANDBOXNOTFOUND', 'instruction_not_found'],
    ['MDSANDBOXCANCELLED', 'instruction_cancelled'],
    ['MDSANDBOXFAILED', 'instruction_failed'],
    ['MDSANDBOXEXPIRED', 'instruction_expired'],
    ['MDSANDBOXSUSPENDED', 'instruction_not_active'],
    ['MDSANDBOXVISA', 'instruction_not_found'],
  ])('refuses %s with %s', async (reference, code) => {
    expect(await verify(reference)).toMatchObject({ outcome: 'refused', code });
  });

  it.each([
    ['pm_sandboxDown', { code: 'vendor_error' }],
    ['pm_sandboxLimited', { code: 'vendor_rate_limited', retryAfterMs: 1_000 }],
    ['pm_sandboxSilent', { code: 'vendor_timeout' }],
    ['MDSANDBOXDOWN', { code: 'vendor_error' }],
    ['MDSANDBOXLIMITED', { code: 'vendor_rate_limited', retryAfterMs: 1_000 }],
    ['MDSANDBOXSILENT', { code: 'vendor_timeout' }],
  ])('is unavailable for %s', async (reference, failure) => {
    expect(await verify(reference)).toMatchObject({ outcome: 'unavailable', ...failure });
  });

  it.each(['pm_sandboxFlaky', 'MDSANDBOXFLAKY'])(
    'verifies %s at the third attempt, separately for each reference',
    async (name) => {
      for (const reference of [`${name}1`, `${name}2`]) {
        const outcomes = [await verify(reference), await verify(reference), await verify(reference)];
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unavailable', 'unavailable', 'verified']);
      }
    },
  );

  it('marks every response as a sandbox response', async () => {
    const headers = { authorization: 'Bearer any' };
    for (const path of ['/v1/payment_methods/pm_sandboxVisa', '/mandates/MDSANDBOXNOTFOUND', '/elsewhere']) {
      const answer = await fetch(sandbox.base + path, { headers });
      expect(answer.headers.get('x-portage-sandbox')).toBe('true');
    }
    const card: unknown = await (
      await fetch(`${sandbox.base}/v1/payment_methods/pm_sandboxVisa`, { headers })
    ).json();
    expect(card).toMatchObject({ livemode: false, metadata: { sandbox: 'true' } });
  });

  it('requires a key and accepts only GET', async () => {
    const address = `${sandbox.base}/mandates/MDSANDBOXACTIVE`;
    expect((await fetch(address)).status).toBe(401);
    const cancel = { method: 'POST', headers: { authorization: 'Bearer any' } };
    expect((await fetch(address, cancel)).status).toBe(404);
  });

  it('listens on the loopback interface only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((at) => at && !at.internal && at.family === 'IPv4');
    for (const at of outside) {
      const address = sandbox.base.replace('127.0.0.1', at?.address ?? '');
      await expect(fetch(address, { signal: AbortSignal.timeout(2_000) })).rejects.toThrow();
    }
    expect(sandbox.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('stops while a request is pending', async () => {
    const waiting = verify('pm_sandboxSilent');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sandbox.stop();
    expect(await waiting).toMatchObject({ outcome: 'unavailable' });
    sandbox = await SandboxVendors.start();
  });

  it('fails to start when its port is in use', async () => {
    const port = Number(new URL(sandbox.base).port);
    await expect(SandboxVendors.start({ port })).rejects.toThrow('EADDRINUSE');
  });
});
