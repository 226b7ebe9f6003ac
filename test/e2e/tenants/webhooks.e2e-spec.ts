import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  announceSkipped,
  type Answer,
  MISSING,
  type OperatorClient,
  REPOSITORY,
  SharedPortage,
  signIn,
  until,
} from '@portage/testing';
import { WebhookReceiver } from '@portage/testing/webhook-receiver';
import { transform } from '@swc/core';
import { Webhook } from 'standardwebhooks';

const ENDPOINTS = '/v2/data-import/webhook-endpoints/';
const COMPLETE = 'data_import.import_process.complete-v1';

const portage = SharedPortage.use('postgres');
const other = SharedPortage.use('postgres');
let operator: OperatorClient;
let receiver: WebhookReceiver;
let status = 204;

beforeAll(async () => {
  receiver = await WebhookReceiver.start((_request, response) => response.writeHead(status).end());
  operator = await signIn(portage, 'operator');
});
afterEach(async () => {
  status = 204;
  receiver.requests.length = 0;
  for (const { id } of (await list()).body as { id: string }[])
    await portage.send('DELETE', `${ENDPOINTS}${id}/`);
});
afterAll(async () => {
  await receiver.stop();
});

const createUnverified = async (url: string, more: object = {}): Promise<Answer> =>
  portage.post(ENDPOINTS, { import_supplier: portage.supplier, url, types: [COMPLETE], ...more });
/** Creates an endpoint and has an operator verify it, which is not limited. */
async function create(url: string, more: object = {}): Promise<Answer> {
  const created = await createUnverified(url, more);
  if (created.status === 201) await operator.post(`/webhooks/${created.body.id}/verify`);
  return created;
}
const list = async (): Promise<Answer> => portage.get(`${ENDPOINTS}?supplier=${portage.supplier}`);
const act = async (id: string, action: string, by = portage): Promise<Answer> =>
  by.send('POST', `${ENDPOINTS}${id}/${action}/`);

let numbers = 0;
async function importAccount(): Promise<string> {
  const number = `W-${(numbers += 1)}`;
  await portage.importAccount(number);
  return number;
}

const accountsIn = (bodies: readonly string[]) =>
  bodies.map(
    (body) =>
      (JSON.parse(body) as { data: { external_account_number: string } }).data.external_account_number,
  );

it('an imported account is sent to the endpoint of its supplier, verified by a library of the specification', async () => {
  const { status: created, body: endpoint } = await create(receiver.url, { description: 'Billing' });
  expect(created).toBe(201);
  const number = await importAccount();
  await until(() => receiver.requests.length > 0, 'The event was not delivered.');
  const { body } = receiver.requests[0]!;
  const headers = receiver.requests[0]!.headers as Record<string, string>;
  expect(new Webhook(endpoint.secret as string).verify(body, headers)).toMatchObject({
    type: COMPLETE,
    data: {
      ...portage.about(number),
      error: null,
      platform_account_number: expect.stringMatching(/^A-/),
    },
  });
  await until(
    async () => (await portage.get(`${ENDPOINTS}${endpoint.id}/attempts/`)).body.length > 1,
    'The attempt was not stored.',
  );
  const attempts = await portage.get(`${ENDPOINTS}${endpoint.id}/attempts/`);
  expect(attempts.body).toEqual([
    expect.objectContaining({ event_id: headers['webhook-id'], type: COMPLETE, attempt: 1, status: 204 }),
    expect.objectContaining({ type: 'data_import.webhook_verification-v1', status: 200 }),
  ]);
  // Another organisation has the same supplier codes of its own only.
  const { status: foreign } = await other.get(`${ENDPOINTS}${endpoint.id}/`);
  expect(foreign).toBe(404);
});

it('an endpoint is tested, rotated, disabled, enabled, replayed and deleted by the API', async () => {
  const { body: endpoint } = await create(receiver.url);
  const tested = await act(endpoint.id, 'test');
  expect(tested.body).toEqual({
    event_id: expect.stringMatching(/^test_/),
    delivered: true,
    status: 204,
    error: null,
    duration_ms: expect.any(Number),
  });
  status = 418;
  expect((await act(endpoint.id, 'test')).body).toMatchObject({
    delivered: false,
    status: 418,
    error: { code: 'http_status' },
  });
  const rotated = await act(endpoint.id, 'rotate-secret');
  expect(rotated.body.secret).not.toBe(endpoint.secret);
  expect((await act(endpoint.id, 'disable')).body).toMatchObject({
    status: 'DISABLED',
    disabled_reason: 'manual',
  });
  expect((await act(endpoint.id, 'enable')).body).toMatchObject({ status: 'ENABLED', disabled_at: null });
  const replayed = await portage.post(`${ENDPOINTS}${endpoint.id}/replay/`, { after: 'beginning' });
  expect(replayed.status).toBe(200);
  const wrong = await portage.post(`${ENDPOINTS}${endpoint.id}/replay/`, { after: 'yesterday' });
  expect([wrong.status, wrong.body.errors[0].attr]).toEqual([400, 'after']);
  expect((await list()).body).toHaveLength(1);
  expect((await portage.send('DELETE', `${ENDPOINTS}${endpoint.id}/`)).status).toBe(204);
  expect((await portage.send('DELETE', `${ENDPOINTS}${endpoint.id}/`)).status).toBe(404);
  expect((await list()).body).toEqual([]);
});

const PYTHON = 'python3';
const hasPython = spawnSync(PYTHON, ['--version']).status === 0;
if (!hasPython) announceSkipped('the Python receiver', MISSING.python);

describe('the receivers of the guide', () => {
  let folder: string;
  let program: ChildProcess | undefined;
  let lines: string[];

  beforeAll(() => {
    // Inside of the repository, where the packages of the example are found.
    mkdirSync(join(REPOSITORY, 'node_modules', '.cache'), { recursive: true });
    folder = mkdtempSync(join(REPOSITORY, 'node_modules', '.cache', 'receiver-'));
  });
  afterEach(() => {
    program?.kill();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Starts a receiver and returns its port. */
  async function start(
    command: string,
    args: string[],
    secret: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<number> {
    lines = [];
    const child = spawn(command, args, {
      env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    program = child;
    createInterface(child.stdout).on('line', (line) => lines.push(line));
    await until(() => lines.length > 0, 'The receiver did not start.');
    return Number(/port (\d+)/.exec(lines.shift()!)![1]);
  }

  /** Starts a receiver with the secret of an endpoint that sends to it. */
  async function receive(launch: (secret: string) => Promise<number>): Promise<void> {
    // The secret is known after the endpoint was created, and the URL before: rotate once the port is known.
    const { body: endpoint } = await createUnverified(receiver.url);
    const port = await launch(endpoint.secret as string);
    const moved = await portage.sql(`UPDATE webhook_endpoint SET url = $2 WHERE id = $1 RETURNING id`, [
      endpoint.id,
      `http://127.0.0.1:${port}/`,
    ]);
    expect(moved).toHaveLength(1);
    expect((await operator.post(`/webhooks/${endpoint.id}/verify`)).body).toMatchObject({ verified: true });
    const first = await importAccount();
    await act(endpoint.id, 'rotate-secret');
    const second = await importAccount();
    await until(
      () => lines.length >= 2,
      () => `The receiver has printed ${JSON.stringify(lines)}.`,
    );
    expect(accountsIn(lines)).toEqual([first, second]);
    // A request that is not signed is refused.
    const forged = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
      body: '{}',
    });
    expect([forged.status, lines.length]).toEqual([401, 2]);
  }

  it('the receiver in TypeScript verifies and prints events, also during a rotation', async () => {
    const source = readFileSync(join(REPOSITORY, 'examples', 'typescript', 'webhook-receiver.ts'), 'utf8');
    const { code } = await transform(source, {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'commonjs' },
    });
    const file = join(folder, 'webhook-receiver.cjs');
    writeFileSync(file, code);
    await receive(async (secret) => start(process.execPath, [file], secret, { PORT: '0' }));
  });

  (hasPython ? it : it.skip)(
    'the receiver in Python verifies and prints events, also during a rotation',
    async () => {
      const script = join(REPOSITORY, 'examples', 'python', 'webhook_receiver.py');
      await receive(async (secret) => start(PYTHON, [script, '0'], secret));
    },
  );
});
