import { SandboxVendors } from '@portage/local-environment';
import { type Behaviour, json, MisbehavingVendor, silent } from '../../libs/vendors/test/misbehaving-vendor';
import { paymentMethod } from '../../libs/vendors/test/vendor-answers';
import {
  account,
  type Answer,
  type StartOptions,
  testedBackends,
  TestPortage,
  until,
} from '@portage/testing';

const PATH = '/v1/data-import/payment-instruction/create/';
const REFERENCE = 'pm_1QfL2eKq8xYb';

describe.each(testedBackends())('payment instructions under faults, with the queue in %s', (backend) => {
  let stripe: MisbehavingVendor;
  let sandbox: SandboxVendors;
  let portage: TestPortage | undefined;

  beforeEach(async () => {
    [stripe, sandbox] = await Promise.all([MisbehavingVendor.start(), SandboxVendors.start()]);
    stripe.behave = found;
  });
  afterEach(async () => {
    await portage?.stop();
    portage = undefined;
    await Promise.all([stripe.stop(), sandbox.stop()]);
  });

  /** Portage with so many accounts imported: `N-0`, `N-1` and so on. */
  async function started(accounts: number, options: Partial<StartOptions> = {}): Promise<TestPortage> {
    portage = await TestPortage.start({
      backend,
      ...options,
      env: { ...sandbox.settings, STRIPE_API_BASE: stripe.base, ...options.env },
    });
    await imported(portage, 'N', accounts);
    return portage;
  }

  async function imported(into: TestPortage, name: string, count: number): Promise<void> {
    const [before] = await into.sql<{ count: number }>('SELECT count(*)::int AS count FROM account');
    for (let next = 0; next < count; next += 1)
      expect((await into.schedule(account(`${name}-${next}`))).status).toBe(201);
    await into.waitFor('PROCESSED', before!.count + count);
  }

  const found: Behaviour = (response, nth) => {
    json(200, paymentMethod({ id: stripe.received[nth]?.path.split('/').at(-1) }))(response, nth);
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

  const inForce = async (): Promise<string[]> =>
    (
      await portage!.sql<{ reference: string }>('SELECT reference FROM payment_instruction WHERE is_active')
    ).map(({ reference }) => reference);

  async function asked(times: number): Promise<void> {
    await until(
      () => stripe.received.length >= times,
      20_000,
      () => `the vendor was asked ${stripe.received.length} times instead of ${times}`,
    );
  }

  it('without a worker the answer is 503; the work is done once there is one, and found again', async () => {
    await started(1, { env: { OUTCOME_WAIT_MS: '1500' } });
    await portage!.workers[0]!.stop();
    const { status, body, headers } = await post('N-0');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', expect.any(String)]);
    expect(stripe.received).toEqual([]);

    await portage!.startWorker();
    await until(
      async () => (await inForce()).length === 1,
      20_000,
      () => 'nothing was put in force',
    );
    expect((await post('N-0')).status).toBe(201);
    expect(stripe.received).toHaveLength(1);
  });

  it('a worker that is killed while the vendor is asked: another asks again, and one is in force', async () => {
    await started(1);
    stripe.behave = silent;
    const answer = post('N-0');
    await asked(1);
    stripe.behave = found;
    portage!.workers[0]!.kill();
    await portage!.startWorker();
    expect((await answer).status).toBe(201);
    expect(stripe.received).toHaveLength(2);
    expect(await inForce()).toEqual([REFERENCE]);
  });

  it('a worker that only stood still, and comes late with its answer, changes nothing', async () => {
    await started(1, { env: { LOG_LEVEL: 'debug', VENDOR_TIMEOUT_MS: '20000', OUTCOME_WAIT_MS: '70000' } });
    let answerFirst: () => void = () => undefined;
    stripe.behave = (response, nth) => {
      answerFirst = () => {
        found(response, nth);
      };
    };
    const answer = post('N-0');
    await asked(1);
    stripe.behave = found;
    const [still] = portage!.workers;
    process.kill(still!.pid!, 'SIGSTOP');
    await portage!.startWorker();
    expect((await answer).status).toBe(201);
    const replaced = await post('N-0', 'pm_replacement');
    expect(replaced.status).toBe(201);
    answerFirst();
    process.kill(still!.pid!, 'SIGCONT');
    await until(
      () => still!.endOfLog(1_000).includes('outdated'),
      20_000,
      () => still!.endOfLog(),
    );
    expect(await inForce()).toEqual(['pm_replacement']);
    expect(await portage!.sql('SELECT id FROM payment_instruction')).toHaveLength(2);
  });

  it('a vendor that never answers keeps neither account imports nor the other vendor waiting', async () => {
    await started(40, { env: { WORKER_CONCURRENCY: '8', VENDOR_BREAKER_FAILURES: '8' } });
    stripe.behave = silent;
    const answers: number[] = [];
    const waiting = Array.from({ length: 40 }, async (_, index) =>
      post(`N-${index}`).then(({ status }) => answers.push(status)),
    );
    // Every place that a worker has for instructions is taken.
    await asked(8);
    await imported(portage!, 'M', 60);
    expect(answers).toEqual([]);

    const [worker] = portage!.workers;
    await until(
      () => worker!.endOfLog(1_000).includes('is left alone'),
      25_000,
      () => worker!.endOfLog(),
    );
    const start = performance.now();
    expect((await post('M-0', 'MDSANDBOXACTIVE')).status).toBe(201);
    expect(performance.now() - start).toBeLessThan(5_000);
    await Promise.all(waiting);
    expect(answers).toHaveLength(40);
    expect(answers.filter((status) => status !== 500 && status !== 503)).toEqual([]);
  });

  it('all workers together ask no more often than PAYMENT_INSTRUCTIONS_PER_SECOND', async () => {
    await started(8, { workers: 2, env: { PAYMENT_INSTRUCTIONS_PER_SECOND: '2' } });
    const answers = await Promise.all(Array.from({ length: 8 }, async (_, index) => post(`N-${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    const times = stripe.received.map(({ at }) => at);
    expect(times).toHaveLength(8);
    // Four windows of a second each, of which the first and the last may be used at their inner edges.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(1_900);
  });
});
