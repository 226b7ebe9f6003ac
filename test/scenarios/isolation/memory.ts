import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, uploadAnswer } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import type { Scenario, ScenarioRun } from '../scenario';
import { Latencies } from './latencies';
import { Tenant } from './tenant';

/** The heap of the manifests in deploy/k8s; test/deploy/kubernetes.spec.ts compares them. */
const HEAP_MEBIBYTES = 512;
/** The limit of the container in the manifests is 1 GiB. */
const MAX_RESIDENT_MEBIBYTES = 1_024;
const BODY_BYTES = 9_900_000;
const MAX_VALUES = 500_000;
const MAX_UPLOAD_MEBIBYTES = 150;
const MAX_STRANGERS_MEBIBYTES = 100;
const SIZES = {
  short: { attackers: 2, rounds: 2, lines: 600 },
  full: { attackers: 6, rounds: 10, lines: 5_000 },
};
const VALIDATE = '/v2/data-import/accounts/validate/';
const NOTES = '/v1/data-import/notes/create/';

/** Refusals of a body. A client that still sends when it is refused may lose the answer with its connection. */
const REFUSALS = ['413 payload_too_large', '429 throttled', '503 unavailable', '0 connection lost'];
const LOST: Answer = {
  status: 0,
  headers: {},
  body: { code: 'connection lost' },
  text: '',
  bytes: Buffer.alloc(0),
};
const connectionLost = () => LOST;

export default {
  title: `an API with a heap of ${HEAP_MEBIBYTES} MB survives the largest bodies, and serves others meanwhile`,
  minutes: 3,
  isShort: ['postgres'],
  run: async (run) => {
    const attack = await MemoryAttack.start(run);
    await attack.sendTinyObjects();
    for (const bytes of [BODY_BYTES, 1_600_000]) await attack.sendManyValues(bytes);
    await attack.sendLargeBodyAgain();
    await attack.upload();
    await attack.sendSlowly();
    return undefined;
  },
} satisfies Scenario;

/** Suppliers that send bodies which need much memory, and another that reads. */
class MemoryAttack {
  private constructor(
    private readonly run: ScenarioRun,
    private readonly portage: Installation,
    private readonly attackers: readonly [Tenant, ...Tenant[]],
  ) {}

  static async start(run: ScenarioRun): Promise<MemoryAttack> {
    const portage = await run.install({
      postgres: {},
      workers: 0,
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}` },
    });
    const join = async (index: number) => {
      const tenant = await Tenant.join(portage, `ATTACKER-${index}`);
      run.atEnd(async () => tenant.leave());
      return tenant;
    };
    const attackers: [Tenant, ...Tenant[]] = [await join(1)];
    for (let index = 2; index <= SIZES[run.size].attackers; index += 1) attackers.push(await join(index));
    return new MemoryAttack(run, portage, attackers);
  }

  /** Six concurrent bodies of tiny objects of one supplier. */
  async sendTinyObjects(): Promise<void> {
    const [attacker] = this.attackers;
    const body = Buffer.from(bodyOf(attacker.supplier, BODY_BYTES, Number.MAX_SAFE_INTEGER));
    expect(body.length).toBe(BODY_BYTES);
    await this.withVictim('six bodies of 9.9 MB of tiny objects', async () => {
      for (let round = 0; round < SIZES[this.run.size].rounds; round += 1)
        expectRefused(
          await Promise.all(
            Array.from({ length: 6 }, async () => attacker.post(VALIDATE, body).catch(connectionLost)),
          ),
        );
    });
    this.expectAlive();
  }

  /** Concurrent bodies with as many values as are allowed, of several suppliers. */
  async sendManyValues(bytes: number): Promise<void> {
    const bodies = this.attackers.map(({ supplier }) => Buffer.from(bodyOf(supplier, bytes, MAX_VALUES)));
    let peak = 0;
    await this.withVictim(`bodies of ${bytes} bytes with 500,000 values`, async () => {
      const answers = await Promise.all(
        this.attackers.flatMap((attacker, index) =>
          Array.from({ length: 6 }, async (_, number) =>
            attacker
              .post(number % 2 ? VALIDATE : NOTES, bodies[index], { 'idempotency-key': `key-${number}` })
              .catch(connectionLost),
          ),
        ),
      );
      peak = Math.max(peak, await this.residentMebibytes());
      expectRefused(answers, ['400 account_failed_validation', '400 validation_error']);
    });
    this.expectAlive();
    expect(peak).toBeLessThan(MAX_RESIDENT_MEBIBYTES);
  }

  /** Large bodies are accepted again once the attack is over. */
  async sendLargeBodyAgain(): Promise<void> {
    const [attacker] = this.attackers;
    const { status } = await attacker.post(VALIDATE, bodyOf(attacker.supplier, 5_000_000, 100_000));
    expect(status).toBe(400);
  }

  /** An upload of any length needs little memory. */
  async upload(): Promise<void> {
    const [attacker] = this.attackers;
    const count = SIZES[this.run.size].lines;
    const submissions = '/v2/data-import/submissions/';
    const opened = await attacker.post(submissions, {
      import_supplier: attacker.supplier,
      reference: 'memory',
    });
    const filler = 'lorem ipsum '.repeat(8_000);
    const lines = Array.from(
      { length: count },
      (_, index) => `${JSON.stringify(attacker.account(`UP-${index}`, { filler }))}\n`,
    );
    const before = await this.residentMebibytes();
    let peak = 0;
    let isOver = false;
    const upload = attacker
      .post(`${submissions}${String(opened.body.id)}/accounts/`, Buffer.from(lines.join('')), {
        'content-type': 'application/x-ndjson',
      })
      .finally(() => (isOver = true));
    while (!isOver) {
      peak = Math.max(peak, await this.residentMebibytes());
      await sleep(50);
    }
    this.run.say(`an upload of ${count} lines: ${Math.round(peak - before)} MiB more`);
    expect((await upload).body).toEqual(
      uploadAnswer({ lines: count, accepted: count, ignored_fields: { filler: count } }),
    );
    expect(peak - before).toBeLessThan(MAX_UPLOAD_MEBIBYTES);
  }

  /** Strangers send bodies slowly and never finish them. */
  async sendSlowly(): Promise<void> {
    const before = await this.residentMebibytes();
    const { hostname, port } = new URL(this.portage.baseUrl);
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
    const grown = (await this.residentMebibytes()) - before;
    for (const socket of sockets) socket.destroy();
    expect(grown).toBeLessThan(MAX_STRANGERS_MEBIBYTES);
    this.expectAlive();
  }

  /** Reads as another supplier while `attack` runs. */
  private async withVictim(what: string, attack: () => Promise<void>): Promise<void> {
    const alone = await this.readUntil(sleep(1_000));
    const attacking = attack();
    const attacked = await this.readUntil(attacking);
    await attacking;
    const describe = (latencies: Latencies) =>
      [0.5, 0.99].map((share) => latencies.quantile(share).toFixed(1)).join(', ');
    this.run.say(`${what}: reads of a status ${describe(alone)} ms alone, ${describe(attacked)} ms attacked`);
  }

  /** The durations of reads, one after another, until `end`. */
  private async readUntil(end: Promise<unknown>): Promise<Latencies> {
    const durations: number[] = [];
    let isOver = false;
    const stop = () => {
      isOver = true;
    };
    void end.then(stop, stop);
    while (!isOver) {
      const start = performance.now();
      const { status } = await this.portage.status('unknown');
      durations.push(performance.now() - start);
      expect(status).toBe(404);
      await sleep(5);
    }
    return new Latencies(durations);
  }

  private async residentMebibytes(): Promise<number> {
    const { text } = await this.portage.get('/metrics');
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]) / 2 ** 20;
  }

  private expectAlive(): void {
    expect(this.portage.api!.isRunning).toBe(true);
    expect(this.portage.api!.logTail(1_000)).not.toMatch(/heap out of memory|A request failed/);
  }
}

/** A body of `bytes` bytes of tiny objects, with at most `values` values and keys. The rest is one long text. */
function bodyOf(supplier: string, bytes: number, values: number): string {
  const head = `{"import_supplier":"${supplier}","external_account_number":"N-1","tiny":[{}`;
  // Each further object counts as two: its comma and its bracket.
  const count = Math.min(Math.floor((bytes - 200) / 3), Math.floor((values - 20) / 2));
  const body = `${head}${',{}'.repeat(count)}],"filler":"`;
  return `${body}${'x'.repeat(bytes - body.length - 2)}"}`;
}

/** Every answer is a refusal, one of `others`, and one for memory tells when to try again. */
function expectRefused(answers: readonly Answer[], others: readonly string[] = []): void {
  const summary = answers.map(({ status, body }) => `${status} ${body?.code}`);
  expect(summary.filter((one) => ![...REFUSALS, ...others].includes(one))).toEqual([]);
  for (const { status, headers } of answers)
    if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
}
