import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../../libs/platform/src/config/config';
import { documentKey } from '../../../libs/platform/src/document-stores/document-key';
import { createDocumentStore } from '../../../libs/platform/src/document-stores/create-document-store';
import { account, until } from '@portage/testing';
import { FaultProxy, type Installation } from '@portage/testing/installation';
import { json, TestServer } from '@portage/testing/test-server';
import { BUCKET, CREDENTIALS, startS3Server } from '../../../libs/platform/test/stores';
import { paymentMethod } from '../../../libs/accounts/test/vendor-responses';
import { type Scenario, type ScenarioRun, seconds } from '../scenario';

const ACCOUNTS = 6;
const FAULT_MS = 8_000;
/** From the heal to the answer of every payment instruction. */
const ANSWERS_AFTER_MS = 60_000;
/** From the heal to the end of every document. A document that was not read is tried again after 20 to 90 s. */
const DOCUMENTS_AFTER_MS = 150_000;
const ROOT = 'book';
const NOTES = '/v1/data-import/notes/create/';
const INSTRUCTIONS = '/v1/data-import/payment-instruction/create/';

/** A network between Portage and a payment vendor, and between Portage and the object store. */
const network = (title: string, begin: (proxy: FaultProxy) => void): Scenario => ({
  title: `the network ${title}`,
  minutes: 2,
  run: async (run) => strike(run, begin),
});

/** Payment instructions and documents come to their promised end, each once, whatever happens on the way. */
export default {
  'outside-delayed': network('delays every packet by up to 3 s', (proxy) => {
    proxy.delay(3_000);
  }),
  'outside-reset': network('resets every connection', (proxy) => {
    proxy.refuse();
  }),
  'outside-no-answers': network('carries no answers', (proxy) => {
    proxy.swallow('to-client');
  }),
  'outside-silent': network('carries nothing', (proxy) => {
    proxy.swallow('both');
  }),
  'outside-single-bytes': network('passes on single bytes', (proxy) => {
    proxy.dribble(1);
  }),
};

/** Sends an instruction and a document for each account under a fault, and repeats what was not answered. */
async function strike(run: ScenarioRun, begin: (proxy: FaultProxy) => void) {
  const { installation, vendor, proxies } = await start(run);
  for (const proxy of proxies) begin(proxy);
  const statuses: Record<string, number> = {};
  let lastAnswerAt = 0;
  let isOver = false;
  const sending = Array.from({ length: ACCOUNTS }, async (_, index) => {
    const about = { import_supplier: installation.supplier, external_account_number: `N-${index}` };
    const paths = [{ document_path: documentOf(index) }];
    await installation.post(NOTES, { ...about, notes: [{ document_paths: paths }] });
    const reference = `pm_${index}abcdefgh`;
    while (!isOver) {
      const { status } = await installation.post(INSTRUCTIONS, {
        ...about,
        type: 'CARD',
        vendor: 'STRIPE',
        reference,
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
      lastAnswerAt = performance.now();
      if (status < 429) return;
      await sleep(1_000);
    }
  });
  await sleep(FAULT_MS);
  for (const proxy of proxies) proxy.heal();
  const healedAt = performance.now();
  const limit = sleep(ANSWERS_AFTER_MS, undefined, { ref: false });
  await Promise.race([Promise.all(sending), limit]);
  isOver = true;
  await Promise.all(sending);
  const documents = async () => installation.sql<{ state: string }>('SELECT state FROM document');
  await until(
    async () => (await documents()).every(({ state }) => state === 'STORED'),
    async () => JSON.stringify(await documents()),
    DOCUMENTS_AFTER_MS,
  );
  const documentsAfterMs = performance.now() - healedAt;
  const answersAfterMs = Math.max(0, lastAnswerAt - healedAt);
  const instructions = await installation.sql<{ count: number; active: number }>(
    `SELECT count(*)::int AS count, (count(*) FILTER (WHERE is_active))::int AS active
     FROM payment_instruction GROUP BY reference`,
  );
  const active = instructions.filter((one) => one.active === 1).length;
  const doubled = instructions.filter(({ count }) => count > 1).length;
  run.say(`${JSON.stringify(statuses)}, answers ${seconds(answersAfterMs)}, ${seconds(documentsAfterMs)}`);
  expect({ active, doubled, documents: (await documents()).length }).toEqual({
    active: ACCOUNTS,
    doubled: 0,
    documents: ACCOUNTS,
  });
  expect(answersAfterMs).toBeLessThan(ANSWERS_AFTER_MS);
  expect(documentsAfterMs).toBeLessThan(DOCUMENTS_AFTER_MS);
  return {
    'instructions active': `${active} of ${ACCOUNTS}`,
    doubled,
    'answered with 500 meanwhile': statuses['500'] ?? 0,
    'requests that the vendor saw': vendor.requests.length,
    'last answer after the heal': seconds(answersAfterMs),
    'last document after the heal': seconds(documentsAfterMs),
  };
}

/** Portage with imported accounts, and with a vendor and an object store that has their documents, each behind a proxy. */
async function start({ install, atEnd, random }: ScenarioRun) {
  Object.assign(process.env, CREDENTIALS);
  const vendor = await TestServer.start((request, response) => {
    json(200, paymentMethod({ id: request.path.split('/').at(-1) }))(request, response);
  });
  atEnd(async () => vendor.stop());
  const store = await startS3Server();
  atEnd(async () => store.stop());
  const vendorProxy = await FaultProxy.start(vendor.url, random);
  const storeProxy = await FaultProxy.start(store.endpoint, random);
  const proxies = [vendorProxy, storeProxy];
  atEnd(async () => {
    for (const proxy of proxies) await proxy.stop();
  });
  const installation = await install({
    postgres: {},
    proxies: random,
    waits: 'default',
    env: {
      ...CREDENTIALS,
      STRIPE_API_KEY: 'sk_test_of_this_run',
      STRIPE_API_BASE: new URL(vendorProxy.through(vendor.url)).origin,
      DOCUMENT_STORE_URL: storeUrl(new URL(storeProxy.through(store.endpoint)).origin),
    },
  });
  await installation.operator('supplier', 'set', installation.supplier, '--document-root', ROOT);
  for (let index = 0; index < ACCOUNTS; index += 1) await installation.schedule(account(`N-${index}`));
  await installation.waitFor('PROCESSED', ACCOUNTS, 60_000);
  await upload(installation, store.endpoint);
  return { installation, vendor, proxies };
}

async function upload({ databaseUrl }: Installation, endpoint: string): Promise<void> {
  const config = loadConfig('cli', { DATABASE_URL: databaseUrl, DOCUMENT_STORE_URL: storeUrl(endpoint) });
  const store = createDocumentStore(config);
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const resolved = documentKey(ROOT, documentOf(index));
    if (resolved.outcome === 'refused') throw new Error(resolved.detail);
    await store.put(resolved.key, Buffer.from('%PDF-1.4\n%%EOF'));
  }
}

function storeUrl(endpoint: string): string {
  return `s3://${BUCKET}?endpoint=${endpoint}&forcePathStyle=true`;
}

function documentOf(index: number): string {
  return `document-${index}.pdf`;
}
