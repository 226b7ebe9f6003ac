import {
  account,
  type Answer,
  testedBackends,
  Installation,
  type InstallationNeeds,
  until,
} from '@portage/testing';
import { SandboxVendors } from '@portage/local-environment';
import { json, type Responder, silent, TestServer } from '@portage/testing/test-server';
import { paymentMethod } from '../../libs/accounts/test/vendor-responses';

const PATH = '/v1/data-import/payment-instruction/create/';
const REFERENCE = 'pm_1QfL2eKq8xYb';

describe.each(testedBackends())('payment instructions under faults, with the queue in %s', (backend) => {
  let stripe: TestServer;
  let sandbox: SandboxVendors;
  let portage: Installation | undefined;

  beforeEach(async () => {
    [stripe, sandbox] = await Promise.all([TestServer.start(silent), SandboxVendors.start()]);
    stripe.respond = respondFound;
  });
  afterEach(async () => {
    await portage?.stop();
    portage = undefined;
    await Promise.all([stripe.stop(), sandbox.stop()]);
  });

  /** Starts Portage with imported accounts `N-0`, `N-1` and so on. */
  async function startWithAccounts(
    accounts: number,
    options: Partial<InstallationNeeds> = {},
  ): Promise<Installation> {
    portage = await Installation.start({
      backend,
      ...options,
      env: { ...sandbox.settings, STRIPE_API_BASE: stripe.url, ...options.env },
    });
    await importAccounts(portage, 'N', accounts);
    return portage;
  }

  async function importAccounts(into: Installation, name: string, count: number): Promise<void> {
    const before = await into.countRows('account');
    for (let next = 0; next < count; next += 1)
      expect((await into.schedule(account(`${name}-${next}`))).status).toBe(201);
    await into.waitFor('PROCESSED', before + count);
  }

  const respondFound: Responder = (request, response) => {
    json(200, paymentMethod({ id: request.path.split('/').at(-1) }))(request, response);
  };

  async function post(number: string, reference = REFERENCE): Promise<Answer> {
    const isCard = reference.startsWith('pm_');
    return portage!.post(PATH, {
      import_supplier: 'LEGACY',
      external_account_number: number,
      type: isCard ? 'CARD' : 'DIRECT_DEBIT',
      vendor: isCard ? 'STRIPE' : 'GOCARDLESS',
      reference,
    });
  }

  const activeReferences = async (): Promise<string[]> =>
    (
      await portage!.sql<{ reference: string }>('SELECT reference FROM payment_instruction WHERE is_active')
    ).map(({ reference }) => reference);

  async function waitForRequests(count: number): Promise<void> {
    await until(
      () => stripe.requests.length >= count,
      () => `the vendor got ${stripe.requests.length} requests instead of ${count}`,
    );
  }

  it('the answer is 503 without a worker; a worker that starts later verifies the instruction once', async () => {
    await startWithAccounts(1, { env: { OUTCOME_WAIT_MS: '1500' } });
    await portage!.workers[0]!.stop();
    const { status, body, headers } = await post('N-0');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', expect.any(String)]);
    expect(stripe.requests).toEqual([]);

    await portage!.startWorker();
    await until(async () => (await activeReferences()).length === 1, 'no instruction is active');
    expect((await post('N-0')).status).toBe(201);
    expect(stripe.requests).toHaveLength(1);
  });

  it('a vendor that never answers delays neither account imports nor the other vendor', async () => {
    await startWithAccounts(40, { env: { WORKER_CONCURRENCY: '20' } });
    stripe.respond = silent;
    const answers: number[] = [];
    const waiting = Array.from({ length: 40 }, async (_, index) =>
      post(`N-${index}`).then(({ status }) => answers.push(status)),
    );
    // As many requests as one supplier may have in progress: three quarters of what the worker handles concurrently.
    await waitForRequests(15);
    await importAccounts(portage!, 'M', 60);
    expect(answers).toEqual([]);

    const [worker] = portage!.workers;
    await until(
      () => worker!.logTail(1_000).includes('circuit breaker of a payment vendor opened'),
      () => worker!.logTail(),
    );
    const start = performance.now();
    expect((await post('M-0', 'MDSANDBOXACTIVE')).status).toBe(201);
    expect(performance.now() - start).toBeLessThan(5_000);
    await Promise.all(waiting);
    expect(answers).toHaveLength(40);
    expect(answers.filter((status) => ![429, 500, 503].includes(status))).toEqual([]);
  });

  it('all workers together send no more requests than PAYMENT_INSTRUCTIONS_PER_SECOND', async () => {
    await startWithAccounts(8, { workers: 2, env: { PAYMENT_INSTRUCTIONS_PER_SECOND: '2' } });
    const answers = await Promise.all(Array.from({ length: 8 }, async (_, index) => post(`N-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const times = stripe.requests.map(({ at }) => at);
    expect(times).toHaveLength(8);
    // The requests span four rate-limit windows of one second, of which the first and the last are partly used.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(1_900);
  });
});
