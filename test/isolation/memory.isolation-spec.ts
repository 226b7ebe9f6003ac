import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Installation, testedBackends } from '@portage/testing';
import { Tenant } from './tenant';

/** The heap of the manifests in deploy/k8s; test/deploy/kubernetes.spec.ts compares them. */
const HEAP_MEBIBYTES = 512;
const BODY_BYTES = 9_900_000;
const MAX_VALUES = 500_000;
/** The lines of an upload, of about 100 kB each, and how much memory it may take. */
const UPLOADED_LINES = process.env['ISOLATION_IN_FULL'] ? 5_000 : 600;
const MAX_UPLOAD_MEBIBYTES = 150;
const VALIDATE = '/v2/data-import/accounts/validate/';
const NOTES = '/v1/data-import/notes/create/';

/** Refusals of a body. A client that still sends when it is refused may lose the answer with its connection. */
const REFUSALS = ['413 payload_too_large', '429 throttled', '503 unavailable', '0 connection lost'];
const LOST: Answer = { status: 0, headers: {}, body: { code: 'connection lost' }, text: '' };
const connectionLost = () => LOST;

const runsInFull = Boolean(process.env['ISOLATION_IN_FULL']);
const backends = testedBackends().filter((backend) => runsInFull || backend === 'postgres');

let portage: Installation;
let backendName: string;
let attackers: Tenant[] = [];

/** A body of `bytes` bytes of tiny objects, with at most `values` values and keys. The rest is one long text. */
function bodyOf(supplier: string, bytes: number, values: number): string {
  const head = `{"import_supplier":"${supplier}","external_account_number":"N-1","tiny":[{}`;
  // Each further object counts as two: its comma and its bracket.
  const count = Math.min(Math.floor((bytes - 200) / 3), Math.floor((values - 20) / 2));
  const body = `${head}${',{}'.repeat(count)}],"filler":"`;
  return `${body}${'x'.repeat(bytes - body.length - 2)}"}`;
}

/** Measures another supplier's requests while `attack` runs, and prints them as a row of the table in docs/security.md. */
async function withVictim(what: string, attack: () => Promise<void>): Promise<void> {
  const alone = await victimUntil(sleep(1_000));
  const attacking = attack();
  const attacked = await victimUntil(attacking);
  await attacking;
  process.stdout.write(
    `| ${backendName} | ${what} | reads of a status | ${describeLatencies(alone)} | ${describeLatencies(attacked)} |\n`,
  );
}

/** The durations of reads, one after another, until `end`. */
async function victimUntil(end: Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  let isOver = false;
  const stop = () => {
    isOver = true;
  };
  void end.then(stop, stop);
  while (!isOver) {
    const start = performance.now();
    const { status } = await portage.get(`/v2/data-import/accounts/${portage.supplier}/unknown/`);
    durations.push(performance.now() - start);
    expect(status).toBe(404);
    await sleep(5);
  }
  return durations;
}

function describeLatencies(durations: readonly number[]): string {
  const sorted = durations.toSorted((left, right) => left - right);
  const quantile = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!.toFixed(1);
  return `${quantile(0.5)}, ${quantile(0.99)}`;
}

async function residentMebibytes(): Promise<number> {
  const { text } = await portage.get('/metrics');
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]) / 2 ** 20;
}

function expectAlive(): void {
  expect(portage.api!.isRunning).toBe(true);
  expect(portage.api!.logTail(1_000)).not.toMatch(/heap out of memory|A request failed/);
}

const summary = (answers: readonly Answer[]) => answers.map(({ status, body }) => `${status} ${body?.code}`);

/** A refused request for memory tells when to try again. */
function expectRetryAfter(answers: readonly Answer[]): void {
  for (const { status, headers } of answers)
    if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
}

describe.each(backends)(`the API with a heap of ${HEAP_MEBIBYTES} MB and the queue in %s`, (backend) => {
  beforeAll(async () => {
    backendName = backend;
    attackers = [];
    portage = await Installation.start({
      backend,
      workers: 0,
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}` },
    });
    for (let index = 1; index <= (runsInFull ? 6 : 2); index += 1)
      attackers.push(await Tenant.join(portage, `ATTACKER-${index}`));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(attackers.map(async (attacker) => attacker.leave()));
    await portage.stop();
  });

  it('survives six concurrent 9.9 MB bodies of tiny objects of one supplier, and serves others', async () => {
    const [attacker] = attackers as [Tenant];
    const body = Buffer.from(bodyOf(attacker.supplier, BODY_BYTES, Number.MAX_SAFE_INTEGER));
    expect(body.length).toBe(BODY_BYTES);
    await withVictim('six bodies of 9.9 MB of tiny objects', async () => {
      for (let round = 0; round < (runsInFull ? 10 : 2); round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 6 }, async () => attacker.post(VALIDATE, body).catch(connectionLost)),
        );
        expect(summary(answers).filter((one) => !REFUSALS.includes(one))).toEqual([]);
        expectRetryAfter(answers);
      }
    });
    expectAlive();
  });

  it.each([
    ['of 9.9 MB', BODY_BYTES],
    ['of 1.6 MB', 1_600_000],
  ])(
    'survives concurrent bodies %s with as many values as are allowed, of several suppliers',
    async (what, bytes) => {
      const bodies = attackers.map(({ supplier }) => Buffer.from(bodyOf(supplier, bytes, MAX_VALUES)));
      let residentPeak = 0;
      await withVictim(`bodies ${what} with 500,000 values`, async () => {
        const answers = await Promise.all(
          attackers.flatMap((attacker, index) =>
            Array.from({ length: 6 }, async (_, number) =>
              attacker
                .post(number % 2 ? VALIDATE : NOTES, bodies[index], { 'idempotency-key': `key-${number}` })
                .catch(connectionLost),
            ),
          ),
        );
        residentPeak = Math.max(residentPeak, await residentMebibytes());
        const known = ['400 account_failed_validation', '400 validation_error', ...REFUSALS];
        expect(summary(answers).filter((one) => !known.includes(one))).toEqual([]);
        expectRetryAfter(answers);
      });
      expectAlive();
      // The limit of the container in the manifests is 1 GiB.
      expect(residentPeak).toBeLessThan(1_024);
    },
  );

  it('accepts large bodies again once the attack is over', async () => {
    const [attacker] = attackers as [Tenant];
    const { status, body } = await attacker.post(VALIDATE, bodyOf(attacker.supplier, 5_000_000, 100_000));
    expect([status, body.code]).not.toContain(429);
    expect(status).toBe(400);
  });

  it('reads an upload of any length with little memory', async () => {
    const [attacker] = attackers as [Tenant];
    const opened = await attacker.post('/v2/data-import/submissions/', {
      import_supplier: attacker.supplier,
      reference: 'memory',
    });
    const filler = 'lorem ipsum '.repeat(8_000);
    const lines = Array.from(
      { length: UPLOADED_LINES },
      (_, index) => `${JSON.stringify(attacker.account(`UP-${index}`, { filler }))}\n`,
    );
    const before = await residentMebibytes();
    let peakMebibytes = 0;
    const upload = attacker.post(
      `/v2/data-import/submissions/${String(opened.body.id)}/accounts/`,
      Buffer.from(lines.join('')),
      { 'content-type': 'application/x-ndjson' },
    );
    let isOver = false;
    const over = upload.finally(() => (isOver = true));
    while (!isOver) {
      peakMebibytes = Math.max(peakMebibytes, await residentMebibytes());
      await sleep(50);
    }
    const { body } = await over;
    process.stdout.write(
      `An upload of ${UPLOADED_LINES} lines: ${Math.round(peakMebibytes - before)} MiB more.\n`,
    );
    expect(body).toEqual({
      lines: UPLOADED_LINES,
      accepted: UPLOADED_LINES,
      refused: 0,
      repeated: 0,
      ignored_fields: { filler: UPLOADED_LINES },
    });
    expect(peakMebibytes - before).toBeLessThan(MAX_UPLOAD_MEBIBYTES);
  }, 120_000);

  it('holds little memory for strangers, who send bodies slowly and never finish them', async () => {
    const before = await residentMebibytes();
    const { hostname, port } = new URL(portage.baseUrl);
    const sockets = Array.from({ length: 200 }, (_, number) => {
      const path = ['/v1/graphql/', '/nowhere', '/v2/data-import/accounts/', '/health/live'][number % 4];
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9900000\r\n\r\n{"a":"`,
      );
      return socket;
    });
    await Promise.all(sockets.map(async (socket) => once(socket, 'connect')));
    const chunk = 'x'.repeat(65_536);
    for (let round = 0; round < 20; round += 1) {
      for (const socket of sockets) if (socket.writable && socket.writableLength === 0) socket.write(chunk);
      await sleep(50);
    }
    const grown = (await residentMebibytes()) - before;
    for (const socket of sockets) socket.destroy();
    expect(grown).toBeLessThan(100);
    expectAlive();
  });
});
