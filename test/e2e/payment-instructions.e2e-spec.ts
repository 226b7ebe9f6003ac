import { account, type Answer, anyBackend, Installation, until } from '@portage/testing';
import { SandboxVendors } from '@portage/local-environment';
import { inSequence, json, type Responder, silent, TestServer } from '@portage/testing/test-server';
import { paymentMethod, stripeError } from '../../libs/accounts/test/vendor-responses';

const PATH = '/v1/data-import/payment-instruction/create/';

/** Secrets and personal data that may only be in the requests to the vendor and its responses. */
const STRIPE_KEY = 'sk_live_marker51H';
const GOCARDLESS_TOKEN = 'live_marker_7Qz';
const CARD_NUMBER = '4000056655665556';
const CARDHOLDER = 'Marker Cardholder';

interface StoredInstruction {
  vendor: string;
  reference: string;
  type: string;
  ledger_code: string;
  customer_reference: string | null;
  is_active: boolean;
  is_verified: boolean;
  details: Record<string, unknown>;
}

describe('payment instructions', () => {
  let stripe: TestServer;
  let sandbox: SandboxVendors;
  const portage = Installation.use(async () => {
    [stripe, sandbox] = await Promise.all([TestServer.start(silent), SandboxVendors.start()]);
    return {
      backend: anyBackend(),
      workers: 2,
      env: {
        LOG_LEVEL: 'debug',
        STRIPE_API_BASE: stripe.url,
        STRIPE_API_KEY: STRIPE_KEY,
        GOCARDLESS_API_BASE: sandbox.base,
        GOCARDLESS_ACCESS_TOKEN: GOCARDLESS_TOKEN,
        VENDOR_TIMEOUT_MS: '2000',
        PAYMENT_INSTRUCTIONS_PER_SECOND: '1000',
      },
    };
  });
  afterAll(async () => {
    await Promise.all([stripe.stop(), sandbox.stop()]);
  });
  beforeEach(() => {
    stripe.requests.length = 0;
    stripe.respond = respondFound();
  });

  /** Responds with the requested payment method, with fields that must not be stored. */
  function respondFound(changes: object = {}, card: object = {}): Responder {
    return (request, response) => {
      const id = request.path.split('/').at(-1);
      const body = paymentMethod(
        { id, billing_details: { name: CARDHOLDER }, metadata: { number: CARD_NUMBER }, ...changes },
        card,
      );
      json(200, body)(request, response);
    };
  }

  let imported = 0;
  /** Imports an account for one test. Returns its external account number and its platform account number. */
  async function importedAccount(more: object = {}): Promise<{ number: string; platform: string }> {
    const number = `P-${imported++}`;
    expect((await portage.schedule(account(number, more))).status).toBe(201);
    await portage.waitFor('PROCESSED', imported);
    return { number, platform: (await portage.status(number)).body.platform_identifier };
  }

  const card = (number: string, more: object = {}) => ({
    import_supplier: 'LEGACY',
    external_account_number: number,
    type: 'CARD',
    vendor: 'STRIPE',
    reference: 'pm_1QfL2eKq8xYb',
    ...more,
  });
  const mandate = (number: string, reference = 'MDSANDBOXACTIVE') =>
    card(number, { type: 'DIRECT_DEBIT', vendor: 'GOCARDLESS', reference });

  async function post(body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return portage.post(PATH, body, headers);
  }

  async function stored(number: string): Promise<StoredInstruction[]> {
    return portage.sql<StoredInstruction>(
      `SELECT vendor, reference, payment_instruction.type, ledger_code, customer_reference, is_active,
         verified_at IS NOT NULL AS is_verified, payment_instruction.details
       FROM payment_instruction JOIN account ON account.id = account_id
       WHERE external_account_number = $1 ORDER BY payment_instruction.id`,
      [number],
    );
  }
  const activeReferences = async (number: string): Promise<string[]> =>
    (await stored(number)).filter((one) => one.is_active).map((one) => one.reference);

  describe('that their vendor confirms (contract, "Create a payment instruction": 201)', () => {
    it('a card is stored with its recognisable details only', async () => {
      const { number, platform } = await importedAccount();
      const { status, body } = await post(card(number));
      expect([status, body]).toEqual([
        201,
        { platform_account_number: platform, reference: 'pm_1QfL2eKq8xYb' },
      ]);
      expect(stripe.requests).toHaveLength(1);
      expect(stripe.requests[0]?.headers.authorization).toBe(`Bearer ${STRIPE_KEY}`);
      expect(await stored(number)).toEqual([
        {
          vendor: 'STRIPE',
          reference: 'pm_1QfL2eKq8xYb',
          type: 'CARD',
          ledger_code: '',
          customer_reference: 'cus_9s6XKzkNRiz8i3',
          is_active: true,
          is_verified: true,
          details: { brand: 'visa', last_four: '4242', expiry_month: 8, expiry_year: 2049 },
        },
      ]);
    });

    it('a mandate is stored with its scheme and the identifiers of its vendor', async () => {
      const { number, platform } = await importedAccount();
      const { status, body } = await post(mandate(number));
      expect([status, body]).toEqual([
        201,
        { platform_account_number: platform, reference: 'MDSANDBOXACTIVE' },
      ]);
      expect(await stored(number)).toMatchObject([
        {
          vendor: 'GOCARDLESS',
          type: 'DIRECT_DEBIT',
          customer_reference: 'CUSANDBOX',
          details: { scheme: 'bacs', bank_account_reference: 'BASANDBOX' },
        },
      ]);
    });

    it('the older name of the reference is accepted, and further fields are stored', async () => {
      const { number } = await importedAccount();
      const { status, body, headers } = await post(
        card(number, {
          vendor: 'stripe',
          reference: undefined,
          instruction_reference: 'pm_older',
          valid_from: '2027-01-01',
          use_for_scheduled_payments: true,
          colour: 'blue',
        }),
      );
      expect([status, body.reference, headers['ignored-fields']]).toEqual([201, 'pm_older', 'colour']);
      expect(await stored(number)).toMatchObject([
        { vendor: 'STRIPE', details: { valid_from: '2027-01-01', use_for_scheduled_payments: true } },
      ]);
    });
  });

  describe('that are not valid (contract, "Create a payment instruction": 400)', () => {
    const label = (number: string, more: object = {}) => ({
      error_detail: expect.stringMatching(/./),
      domain: 'payment_instruction',
      import_supplier: 'LEGACY',
      external_account_number: number,
      reference: 'pm_1QfL2eKq8xYb',
      ...more,
    });

    it('an account that is unknown or not created yet is an error at external_account_number', async () => {
      const never = await post(card('P-never'));
      expect([never.status, never.body]).toMatchObject([
        400,
        {
          code: 'validation_error',
          errors: [{ attr: 'external_account_number', code: 'import_process_does_not_exist' }],
          ...label('P-never'),
        },
      ]);
      const start = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
      const payload = account('P-later');
      await portage.schedule({ payload, task_params: { schedule_window_start: start } });
      const later = await post(card('P-later'));
      expect([later.status, later.body.code, later.body.errors]).toMatchObject([
        400,
        'validation_error',
        [{ attr: 'external_account_number', code: 'account_not_found' }],
      ]);
    });

    it('a paused supplier is refused', async () => {
      const { number } = await importedAccount();
      await portage.operator('supplier', 'set-status', 'LEGACY', 'Paused');
      const { status, body } = await post(card(number));
      await portage.operator('supplier', 'set-status', 'LEGACY', 'Ongoing');
      expect([status, body.code]).toEqual([400, 'import_supplier_migration_not_ongoing']);
      expect(stripe.requests).toEqual([]);
    });

    const known = { reference: 'pm_1QfL2eKq8xYb' };
    it.each<[string, object, () => Responder, number]>([
      [
        'instruction_not_found',
        known,
        () => json(404, stripeError('resource_missing', 'No such PaymentMethod')),
        1,
      ],
      ['invalid_reference', { reference: 'pm_1/../../customers' }, respondFound, 0],
    ])(
      '%s: the vendor gets at most one request, and nothing is stored',
      async (code, more, behave, requestCount) => {
        const { number } = await importedAccount();
        stripe.respond = behave();
        const start = performance.now();
        const { status, body } = await post(card(number, more));
        expect([status, body]).toEqual([
          400,
          { code, detail: expect.stringMatching(/^[A-Z].*\.$/), ...label(number), reference: body.reference },
        ]);
        expect(body.reference).toBe((more as { reference: string }).reference);
        expect(performance.now() - start).toBeLessThan(5_000);
        expect(stripe.requests).toHaveLength(requestCount);
        expect(await stored(number)).toEqual([]);
      },
    );
  });

  describe('whose vendor is unavailable (contract, "Create a payment instruction": 500)', () => {
    it.each<[string, string, Responder]>([
      ['fails', 'vendor_error', json(500, {})],
      ['never responds', 'vendor_timeout', silent],
    ])('a vendor that %s every time gets exactly three requests: %s', async (_what, code, behave) => {
      const { number } = await importedAccount();
      stripe.respond = behave;
      const { status, body } = await post(card(number));
      expect([status, body]).toEqual([
        500,
        {
          code,
          detail: expect.stringMatching(/^[A-Z].*\.$/),
          error_detail: expect.stringMatching(/./),
          domain: 'payment_instruction',
          import_supplier: 'LEGACY',
          external_account_number: number,
          reference: 'pm_1QfL2eKq8xYb',
        },
      ]);
      expect(stripe.requests).toHaveLength(3);
      expect(await stored(number)).toEqual([]);

      stripe.respond = respondFound();
      expect((await post(card(number))).status).toBe(201);
    });

    it('a vendor that fails twice and then confirms leads to 201', async () => {
      const { number } = await importedAccount();
      stripe.respond = inSequence(json(503, {}), json(503, {}), respondFound());
      expect((await post(card(number))).status).toBe(201);
      expect(stripe.requests).toHaveLength(3);
    });

    it('a retry waits for the Retry-After of the vendor', async () => {
      const { number } = await importedAccount();
      stripe.respond = inSequence(json(429, {}, { 'retry-after': '3' }), respondFound());
      expect((await post(card(number))).status).toBe(201);
      const [first, second] = stripe.requests;
      expect(second!.at - first!.at).toBeGreaterThanOrEqual(2_990);
    });

    it('a Retry-After beyond the timeout of the request ends the request at once', async () => {
      const { number } = await importedAccount();
      stripe.respond = json(429, {}, { 'retry-after': '3600' });
      const start = performance.now();
      const { status, body } = await post(card(number));
      expect([status, body.code]).toEqual([500, 'vendor_rate_limited']);
      expect(performance.now() - start).toBeLessThan(5_000);
      expect(stripe.requests).toHaveLength(1);
    });
  });

  describe('that are repeated or replaced', () => {
    it('a repeated instruction gets the same answer, without another request to its vendor', async () => {
      const { number } = await importedAccount();
      const first = await post(card(number));
      stripe.respond = json(404, stripeError('resource_missing', 'Gone'));
      const again = await post(card(number));
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(stripe.requests).toHaveLength(1);
      expect(await stored(number)).toHaveLength(1);
    });

    it('a repeated instruction with other terms is verified again and stored once', async () => {
      const { number } = await importedAccount();
      await post(card(number));
      expect((await post(card(number, { valid_from: '2027-02-01' }))).status).toBe(201);
      expect(stripe.requests).toHaveLength(2);
      expect(await stored(number)).toMatchObject([
        { is_active: true, details: { valid_from: '2027-02-01' } },
      ]);
    });

    it('a new instruction of the same type replaces the active one; a refused one does not', async () => {
      const { number } = await importedAccount();
      await post(card(number));
      await post(mandate(number));
      expect((await post(card(number, { reference: 'pm_next' }))).status).toBe(201);
      expect(await activeReferences(number)).toEqual(['MDSANDBOXACTIVE', 'pm_next']);
      stripe.respond = json(404, stripeError('resource_missing', 'No such PaymentMethod'));
      await post(card(number, { reference: 'pm_unknown' }));
      expect(await activeReferences(number)).toEqual(['MDSANDBOXACTIVE', 'pm_next']);
      expect(await stored(number)).toHaveLength(3);
    });

    it('each ledger has its own active instruction; without ledger_code it belongs to the main ledger', async () => {
      const { number } = await importedAccount();
      await post(card(number, { reference: 'pm_gas', ledger_code: 'GAS' }));
      await post(card(number, { reference: 'pm_unnamed' }));
      expect(await activeReferences(number)).toEqual(['pm_gas', 'pm_unnamed']);
      await post(card(number, { reference: 'pm_main', ledger_code: 'MAIN' }));
      expect(await activeReferences(number)).toEqual(['pm_gas', 'pm_main']);
      await post(card(number, { reference: 'pm_unnamed2' }));
      expect(await activeReferences(number)).toEqual(['pm_gas', 'pm_unnamed2']);
    });

    it('an instruction from the account body is verified and not stored again', async () => {
      const fromBody = {
        type: 'CARD',
        vendor: 'STRIPE',
        reference: 'pm_body',
        instruction_identifier: 'card-1',
      };
      const { number } = await importedAccount({ payment_instructions: [fromBody] });
      expect(await stored(number)).toMatchObject([{ is_active: true, is_verified: false }]);
      expect((await post(card(number, { reference: 'pm_body' }))).status).toBe(201);
      expect(stripe.requests).toHaveLength(1);
      expect(await stored(number)).toMatchObject([
        { reference: 'pm_body', is_active: true, is_verified: true, details: { last_four: '4242' } },
      ]);
    });

    it('equal concurrent requests cause one request to the vendor and one instruction', async () => {
      const { number } = await importedAccount();
      const respondSlowly: Responder = (request, response) =>
        setTimeout(() => {
          respondFound()(request, response);
        }, 300);
      stripe.respond = respondSlowly;
      const all = await Promise.all(Array.from({ length: 20 }, async () => post(card(number))));
      expect(new Set(all.map(({ status, text: body }) => `${status} ${body}`)).size).toBe(1);
      expect(all[0]!.status).toBe(201);
      expect(stripe.requests).toHaveLength(1);
      expect(await stored(number)).toHaveLength(1);
    });

    it('one of many different concurrent instructions is active in the end', async () => {
      const { number } = await importedAccount();
      const all = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => post(card(number, { reference: `pm_race${index}` }))),
      );
      expect(all.filter(({ status }) => status !== 201)).toEqual([]);
      expect(await stored(number)).toHaveLength(12);
      expect(await activeReferences(number)).toHaveLength(1);
    });
  });

  it('a vendor that fails in the middle of a book holds up its own lines only, until it answers again', async () => {
    const accounts = [];
    for (let count = 0; count < 6; count += 1) accounts.push((await importedAccount()).number);
    const lines = accounts.flatMap((number, nth) => [
      { payment_instruction: card(number, { reference: `pm_book${nth}` }) },
      { payment_instruction: mandate(number) },
      {
        notes: {
          import_supplier: 'LEGACY',
          external_account_number: number,
          notes: [{ body: 'Of the book.' }],
        },
      },
    ]);
    let answers = 0;
    let isDown = true;
    stripe.respond = (request, response) => {
      answers += 1;
      if (isDown && answers > 2) json(503, {})(request, response);
      else respondFound()(request, response);
    };
    const id = await portage.openSubmission('instructions', { kind: 'additions' });
    await portage.upload(id, lines, {}, 'additions');
    await portage.completeSubmission(id);
    const read = async () => (await portage.get(`/v2/data-import/submissions/${id}/`)).body;
    // The notes, two cards and their mandates: a mandate waits for the card of its account, which is the line before it.
    await until(
      async () => (await read()).counts.processed === 10,
      async () => JSON.stringify(await read()),
    );
    expect(await read()).toMatchObject({ status: 'RECEIVED', counts: { processed: 10, errored: 0 } });
    // Each has been tried again by the queue, and is due once more later.
    const retried = `submission_addition WHERE status = 'PENDING' AND attempt > 0`;
    await until(async () => (await portage.countRows(retried)) > 0, 'no line waits to be tried again');
    isDown = false;
    expect((await portage.waitForSubmission(id)).body.counts).toMatchObject({
      received: 18,
      processed: 18,
      errored: 0,
      pending: 0,
    });
    for (const number of accounts)
      expect((await stored(number)).filter((one) => one.is_active && one.is_verified)).toHaveLength(2);
  });
});
