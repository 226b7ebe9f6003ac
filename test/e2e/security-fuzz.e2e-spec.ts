import { account, type DocumentedRoute, documentedRoutes, Installation } from '@portage/testing';
import { SandboxVendors } from '@portage/local-environment';
import { fuzz, type FuzzResult } from '../fuzz/fuzz-run';

/** `npm run test:operations` sends few requests with a fixed seed; `npm run test:security` many, with a new seed for each run. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 3_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
/** Longer than any timeout of the API, on a machine that runs other tests too. */
const MAX_ANSWER_MS = 15_000;
const MEGABYTE = 2 ** 20;

const ACCOUNTS = Array.from({ length: 8 }, (_, n) => `N-${n}`);
const STAGED = Array.from({ length: 40 }, (_, n) => `S-${n}`);

/** Replaces the instruction references of the examples by references that the sandbox vendors know. */
function withSandboxReferences(body: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(body)
    .replaceAll(/"pm_\w+"/g, '"pm_sandboxVisa"')
    .replaceAll(/"MD\w+"/g, '"MDSANDBOXACTIVE"');
  return JSON.parse(text) as Record<string, unknown>;
}

/** Submissions of accounts, and of additions, that are open at first. */
const SUBMISSIONS = 60;
const submissions: string[] = [];
const BOOKS = 20;
const books: string[] = [];

/** Webhook endpoints at first. A supplier can have 20. */
const ENDPOINTS = 16;
const endpoints: string[] = [];

let vendors: SandboxVendors;
const portage = Installation.use(async () => {
  vendors = await SandboxVendors.start();
  return {
    backend: 'postgres',
    env: {
      LOG_REQUESTS: 'false',
      ...vendors.settings,
      OUTCOME_WAIT_MS: '3000',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
      // All requests come from one address and must not be throttled.
      TOKEN_FAILURES_PER_ADDRESS: '0',
      TOKEN_ATTEMPTS_PER_MINUTE: '0',
    },
  };
});
let routes: DocumentedRoute[];
let result: FuzzResult;

beforeAll(async () => {
  for (const number of ACCOUNTS) expect((await portage.schedule(account(number))).status).toBe(201);
  await portage.waitFor('PROCESSED', ACCOUNTS.length);
  for (const number of STAGED) {
    const path = '/v1/data-import/account-import-process/create-or-update/';
    expect((await portage.post(path, account(number))).status).toBe(201);
  }
  for (let number = 1; number <= SUBMISSIONS; number += 1)
    submissions.push(await portage.openSubmission(`S-${number}`));
  for (let number = 1; number <= BOOKS; number += 1)
    books.push(await portage.openSubmission(`B-${number}`, { kind: 'additions' }));
  for (let number = 1; number <= ENDPOINTS; number += 1) {
    // No server listens there.
    const body = { import_supplier: portage.supplier, url: 'http://127.0.0.1:65535/' };
    endpoints.push((await portage.post('/v2/data-import/webhook-endpoints/', body)).body.id as string);
  }
  // Otherwise no test would be sent.
  await portage.sql('UPDATE webhook_endpoint SET verified_at = now()');
  routes = (await documentedRoutes(portage)).map((route) => ({
    ...route,
    bodies: route.bodies.map(withSandboxReferences),
  }));
  process.stderr.write(`Fuzz run: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}, ${routes.length} routes.\n`);
  const start = Date.now();
  result = await fuzz(
    portage,
    { routes, supplier: portage.supplier, accounts: ACCOUNTS, staged: STAGED, submissions, books, endpoints },
    { seed: SEED, requests: REQUESTS, maxAnswerMs: MAX_ANSWER_MS },
  );
  const { slowestAnswerMs, growth } = result;
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  process.stderr.write(
    `Fuzz run: ${((Date.now() - start) / 1_000).toFixed(0)} s, slowest answer ${Math.round(slowestAnswerMs)} ms, ` +
      `heap ${megabytes(growth.heap)} MB and resident ${megabytes(growth.resident)} MB more than after the first quarter.\n`,
  );
}, 600_000);
afterAll(async () => vendors.stop());

describe(`${REQUESTS} mutated requests (FUZZ_SEED=${SEED})`, () => {
  it('cause no internal error and no timeout, and expose no internals', () => {
    expect(result.findings).toEqual([]);
  });

  it('cause no failed request in the log', () => {
    expect(portage.api!.logTail(100_000)).not.toContain('A request failed.');
  });

  it('reach every route of the OpenAPI document, with accepted and refused requests for each', () => {
    expect([...result.answers.keys()].sort()).toEqual(routes.map(({ name }) => name).sort());
    for (const [name, statuses] of result.answers) {
      const all = [...statuses.keys()];
      expect([name, all.some((status) => status < 300)]).toEqual([name, true]);
      expect([name, all.some((status) => status >= 400)]).toEqual([name, true]);
    }
  });

  it('cause no memory leak', () => {
    expect(result.growth.heap).toBeLessThan(48 * MEGABYTE);
    expect(result.growth.resident).toBeLessThan(160 * MEGABYTE);
  });

  it('do not break the service: accounts are still accepted and imported', async () => {
    expect((await portage.schedule(account('afterwards'))).status).toBe(201);
    await portage.waitForAccount('afterwards', 'PROCESSED');
  });
});
