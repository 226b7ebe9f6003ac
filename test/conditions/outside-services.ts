import { setTimeout as sleep } from 'node:timers/promises';
import { createDocumentStore, documentKey, loadConfig } from '@portage/platform';
import { account, chosenBackends, findRedisProgram, type TestedBackend, until } from '@portage/testing';
import { BUCKET, CREDENTIALS, type S3Server, startS3Server } from '../../libs/platform/test/stores';
import { json, MisbehavingVendor } from '../../libs/accounts/test/misbehaving-vendor';
import { paymentMethod } from '../../libs/accounts/test/vendor-responses';
import { ConditionsEnvironment } from './environment';
import { FaultProxy } from './proxy';
import { seededRandom } from './random';

const ACCOUNTS = 6;
const FAULT_MS = 8_000;
/** From the heal to the answer of every payment instruction. */
const ANSWERS_AFTER_MS = 60_000;
/** From the heal to the end of every document. A document that was not read is tried again after 20 to 90 s. */
const DOCUMENTS_AFTER_MS = 150_000;
const RUN_TIMEOUT_MS = 400_000;
const ROOT = 'book';
const NOTES = '/v1/data-import/notes/create/';
const INSTRUCTIONS = '/v1/data-import/payment-instruction/create/';

/** What happens between Portage and a payment vendor, and between Portage and the object store. */
const FAULTS: readonly { name: string; begin: (proxy: FaultProxy) => void }[] = [
  {
    name: 'delays every packet by up to 3 s',
    begin: (proxy) => {
      proxy.delay(3_000);
    },
  },
  {
    name: 'resets every connection',
    begin: (proxy) => {
      proxy.refuse();
    },
  },
  {
    name: 'carries no answers',
    begin: (proxy) => {
      proxy.swallow('to-client');
    },
  },
  {
    name: 'carries nothing',
    begin: (proxy) => {
      proxy.swallow('both');
    },
  },
  {
    name: 'passes on single bytes',
    begin: (proxy) => {
      proxy.dribble(1);
    },
  },
];

/** Payment instructions and documents come to their promised end, each once, whatever happens on the way. */
export function testOutsideServices(): void {
  const available: TestedBackend[] = findRedisProgram() ? ['postgres', 'redis'] : ['postgres'];

  describe.each(chosenBackends(available))(
    'a network before vendor and object store, queue in %s,',
    (backend) => {
      let outside: Outside;

      beforeAll(async () => {
        outside = await Outside.start(backend);
      }, RUN_TIMEOUT_MS);
      afterAll(async () => {
        await outside.stop();
      });

      it.each(FAULTS)(
        'that $name loses and doubles nothing',
        async ({ name, begin }) => {
          const figures = await outside.run(
            begin,
            FAULTS.findIndex((fault) => fault.name === name),
          );
          process.stderr.write(`${backend}, ${name}: ${JSON.stringify(figures)}\n`);
          expect(figures).toMatchObject({ active: ACCOUNTS, doubled: 0, documents: ACCOUNTS });
          expect(figures.answersAfterMs).toBeLessThan(ANSWERS_AFTER_MS);
          expect(figures.documentsAfterMs).toBeLessThan(DOCUMENTS_AFTER_MS);
        },
        RUN_TIMEOUT_MS,
      );
    },
  );
}

interface Figures {
  /** Accounts whose new instruction is the active one. */
  active: number;
  /** Instructions that are stored more than once. */
  doubled: number;
  documents: number;
  /** The statuses of the answers, with the number of each. */
  statuses: Record<string, number>;
  vendorRequests: number;
  answersAfterMs: number;
  documentsAfterMs: number;
}

/** Portage with a vendor and an object store, each behind a proxy. */
class Outside {
  private constructor(
    private readonly environment: ConditionsEnvironment,
    private readonly vendor: MisbehavingVendor,
    private readonly store: S3Server,
    private readonly proxies: { vendor: FaultProxy; store: FaultProxy },
  ) {}

  static async start(backend: TestedBackend): Promise<Outside> {
    Object.assign(process.env, CREDENTIALS);
    const random = seededRandom(1);
    const [vendor, store] = await Promise.all([MisbehavingVendor.start(), startS3Server()]);
    vendor.behave = (response, nth) => {
      json(200, paymentMethod({ id: vendor.received[nth]?.path.split('/').at(-1) }))(response, nth);
    };
    const proxies = {
      vendor: await FaultProxy.start(vendor.base, random),
      store: await FaultProxy.start(store.endpoint, random),
    };
    const settings = {
      ...CREDENTIALS,
      STRIPE_API_KEY: 'sk_test_of_this_run',
      STRIPE_API_BASE: new URL(proxies.vendor.through(vendor.base)).origin,
      DOCUMENT_STORE_URL: storeUrl(new URL(proxies.store.through(store.endpoint)).origin),
    };
    const environment = await ConditionsEnvironment.start({
      backend,
      random,
      apis: 1,
      workers: 1,
      env: { 'api-1': settings, 'worker-1': settings },
    });
    const outside = new Outside(environment, vendor, store, proxies);
    await environment.operator('supplier', 'set', environment.supplier, '--document-root', ROOT);
    for (let index = 0; index < ACCOUNTS; index += 1) await environment.schedule(account(`N-${index}`));
    await environment.waitFor('PROCESSED', ACCOUNTS, 60_000);
    return outside;
  }

  /** Sends an instruction and a document for each account under a fault, and repeats what was not answered. */
  async run(begin: (proxy: FaultProxy) => void, round: number): Promise<Figures> {
    const { environment } = this;
    await this.upload(round);
    const requestsBefore = this.vendor.received.length;
    for (const proxy of Object.values(this.proxies)) begin(proxy);
    const statuses: Record<string, number> = {};
    let lastAnswerAt = 0;
    let isOver = false;
    const sending = Array.from({ length: ACCOUNTS }, async (_, index) => {
      const about = { import_supplier: environment.supplier, external_account_number: `N-${index}` };
      const paths = [{ document_path: documentOf(round, index) }];
      await environment.post(NOTES, { ...about, notes: [{ document_paths: paths }] });
      const instruction = { ...about, type: 'CARD', vendor: 'STRIPE', reference: referenceOf(round, index) };
      while (!isOver) {
        const { status } = await environment.post(INSTRUCTIONS, instruction);
        statuses[status] = (statuses[status] ?? 0) + 1;
        lastAnswerAt = performance.now();
        if (status < 429) return;
        await sleep(1_000);
      }
    });
    await sleep(FAULT_MS);
    for (const proxy of Object.values(this.proxies)) proxy.heal();
    const healedAt = performance.now();
    const limit = sleep(ANSWERS_AFTER_MS, undefined, { ref: false });
    await Promise.race([Promise.all(sending), limit]);
    isOver = true;
    await Promise.all(sending);
    const stored = async () =>
      environment.sql<{ state: string }>('SELECT state FROM document WHERE path LIKE $1', [
        `round-${round}-%`,
      ]);
    await until(
      async () => (await stored()).every(({ state }) => state === 'STORED'),
      DOCUMENTS_AFTER_MS,
      async () => JSON.stringify(await stored()),
    );
    const documentsAfterMs = Math.round(performance.now() - healedAt);
    const instructions = await environment.sql<{ reference: string; count: number; active: number }>(
      `SELECT reference, count(*)::int AS count, (count(*) FILTER (WHERE is_active))::int AS active
       FROM payment_instruction WHERE reference LIKE $1 GROUP BY reference`,
      [`pm\\_${round}x%`],
    );
    return {
      active: instructions.filter(({ active }) => active === 1).length,
      doubled: instructions.filter(({ count }) => count > 1).length,
      documents: (await stored()).length,
      statuses,
      vendorRequests: this.vendor.received.length - requestsBefore,
      answersAfterMs: Math.max(0, Math.round(lastAnswerAt - healedAt)),
      documentsAfterMs,
    };
  }

  async stop(): Promise<void> {
    await this.environment.stop();
    for (const proxy of Object.values(this.proxies)) await proxy.stop();
    await this.vendor.stop();
    await this.store.stop();
  }

  private async upload(round: number): Promise<void> {
    const config = loadConfig('cli', {
      DATABASE_URL: this.environment.databaseUrl,
      DOCUMENT_STORE_URL: storeUrl(this.store.endpoint),
    });
    const store = createDocumentStore(config);
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const resolved = documentKey(ROOT, documentOf(round, index));
      if (resolved.outcome === 'refused') throw new Error(resolved.detail);
      await store.put(resolved.key, Buffer.from('%PDF-1.4\n%%EOF'));
    }
  }
}

function storeUrl(endpoint: string): string {
  return `s3://${BUCKET}?endpoint=${endpoint}&forcePathStyle=true`;
}

function referenceOf(round: number, index: number): string {
  return `pm_${round}x${index}abcdefgh`;
}

function documentOf(round: number, index: number): string {
  return `round-${round}-${index}.pdf`;
}
