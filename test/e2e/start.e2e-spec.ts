import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram, testedBackends, newRedisDatabase, REPOSITORY } from '@portage/testing';
import { listenLocally, type LocalServer } from '@portage/testing/local-server';
import { json, TestServer } from '@portage/testing/test-server';
import { processorTime } from '../../bench/processor-time';

const PROGRAM = builtProgram('start');

interface Ended {
  status: number | null;
  output: string;
  /** How long the program took, without the time that its processors spent on other programs of the machine. */
  seconds: number;
}

/** Milliseconds that all processors have worked since the machine was started. */
function machineTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

/** Runs the program of npm start. Calls `during` with the output so far after each output. */
async function start(
  args: string[],
  env: NodeJS.ProcessEnv,
  during: (output: string, pid: number) => void = () => undefined,
): Promise<Ended> {
  const before = { clock: performance.now(), machine: machineTime(), own: processorTime(process.pid) };
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      during(output, child.pid!);
    });
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  // Without /proc all work of the machine counts as that of the program.
  const own = processorTime(process.pid) - before.own;
  const ofOthers = Number.isNaN(own) ? 0 : (machineTime() - before.machine - own) / cpus().length;
  return { status, output, seconds: (performance.now() - before.clock - ofOthers) / 1_000 };
}

/** Creates a webhook endpoint of the demo, and has it sent a challenge. */
async function testWebhook(baseUrl: string, apiKey: string, url: string): Promise<unknown> {
  const post = async (path: string, body: object | undefined, token?: string): Promise<unknown> => {
    const answer = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Token ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const query =
    'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }';
  const { data } = (await post('/v1/graphql/', { query, variables: { input: { APIKey: apiKey } } })) as {
    data: { obtainPlatformToken: { token: string } };
  };
  const { token } = data.obtainPlatformToken;
  const endpoints = '/v2/data-import/webhook-endpoints/';
  const created = (await post(endpoints, { import_supplier: 'DEMO', url }, token)) as { id: string };
  // The challenge reaches the receiver, which does not return it.
  await post(`${endpoints}${created.id}/verify/`, undefined, token);
  return created;
}

/** The processes with the folder in their command line or environment. */
function leftOver(directory: string): string[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return listed.split('\n').filter((line) => line.includes(directory));
}

describe.each(testedBackends())('npm start, with the queue in %s', (backend) => {
  let directory: string;
  let env: NodeJS.ProcessEnv;
  let blocker: LocalServer;
  let receiver: TestServer;
  const SCRIPTS = { worker: /apps\/worker\/src\/main\.js/, api: /apps\/api\/src\/main\.js/ };
  const pidOf = (pattern: RegExp) =>
    Number.parseInt(
      leftOver(directory).find((line) => pattern.test(line))!,
      10,
    );
  const readPids = () => ({ database: pidOf(/bin\/postgres/), worker: pidOf(SCRIPTS.worker) });
  let url: string;
  let tested: Promise<unknown> | undefined;
  let first: ReturnType<typeof readPids> | undefined;
  let later: typeof first;
  let ended: Ended;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'portage-start-'));
    const redisUrl = await newRedisDatabase(backend);
    // Another program uses the configured port of the API.
    blocker = await listenLocally(createServer());
    env = {
      PORTAGE_DIR: directory,
      API_PORT: String(blocker.port),
      WORKER_PORT: '0',
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    };
    receiver = await TestServer.start(json(204));
    url = `${receiver.url}/portage`;
    let isApiKilled = false;
    ended = await start([], env, (soFar, pid) => {
      if (!tested && soFar.includes('Ctrl-C')) {
        const baseUrl = /API\s+(http:\S+)/.exec(soFar)![1]!;
        const apiKey = readFileSync(join(directory, 'demo-api-key'), 'utf8').trim();
        tested = testWebhook(baseUrl, apiKey, url).finally(() => {
          first = readPids();
          process.kill(first.worker, 'SIGKILL');
        });
      } else if (!isApiKilled && soFar.includes('Worker runs again')) {
        isApiKilled = true;
        process.kill(pidOf(SCRIPTS.api), 'SIGKILL');
      } else if (!later && soFar.includes('API runs again')) {
        later = readPids();
        process.kill(pid, 'SIGINT');
      }
    });
    await receiver.stop();
  });
  afterAll(async () => {
    await blocker.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('imports the sample book through the public API and prints the results', () => {
    const { output } = ended;
    expect(output).toContain('/queues');
    expect(output).not.toMatch(/NOT (RECONCILED|AS EXPECTED)/);
    const [summary = ''] = /^Imported [^]*?(?=^Ctrl-C)/m.exec(output) ?? [];
    expect(summary.split('\n').length).toBeLessThanOrEqual(24);
    const words = summary.replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      '200 accounts of DEMO (profile core), 24 accounts of DEMO_GB (profile gb-energy)',
    );
    expect(words).toMatch(/Refused 12 accounts .* \S+book-errors\.csv: 3 invalid, 2 parse_error, \w/);
    expect(words).toContain('Plan Create 0 · Correct 12 · Unchanged 12 · Refused 0 in a second version');
    expect(words).toContain('Corrected 12 accounts of DEMO_GB, 12 unchanged');
    expect(words).toMatch(
      /Reconciled DEMO expected imported DEMO_GB expected imported accounts 200 200 24 24 /,
    );
    expect(words).toContain('opening balance GBP -2681.05 -2681.05 -146.25 -146.25');
    const report = JSON.parse(readFileSync(join(directory, 'book-report.json'), 'utf8'));
    const expected = JSON.parse(readFileSync(join(REPOSITORY, 'examples', 'book.expected.json'), 'utf8'));
    expect(report).toMatchObject({
      accepted: 200,
      processed: 200,
      errored: {},
      unfinished: 0,
      refused: expected.refused,
    });
    const energy = JSON.parse(readFileSync(join(directory, 'book-gb-energy-report.json'), 'utf8'));
    expect(energy).toMatchObject({ processed: 24, refused: {}, errored: {} });
    const second = JSON.parse(readFileSync(join(directory, 'book-gb-energy-second-report.json'), 'utf8'));
    expect(second).toMatchObject({ processed: 0, corrected: 12, unchanged: 12, refused: {}, errored: {} });
    for (const [supplier, { submission }] of [
      ['DEMO', report],
      ['DEMO_GB', energy],
      ['DEMO_GB', second],
    ])
      expect(submission).toMatchObject({
        status: 'FINISHED',
        import_supplier: supplier,
        reconciliation: { reconciled: true },
      });
  });

  it('leaves directories and files that other users of the machine cannot read', () => {
    const readable = ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })].filter(
      (name) => {
        const entry = lstatSync(join(directory, name));
        // PostgreSQL that runs as another user passes through the directory, which then cannot be listed either.
        return entry.isDirectory()
          ? (entry.mode & 0o066) !== 0
          : entry.isFile() && (entry.mode & 0o077) !== 0;
      },
    );
    expect(readable).toEqual([]);
    expect(lstatSync(join(directory, 'book-report.json')).mode & 0o777).toBe(0o600);
  });

  it('sends webhooks to a receiver on the same machine without settings', async () => {
    expect(await tested).toMatchObject({ url });
    expect(receiver.requests.length).toBeGreaterThan(0);
  });

  it('starts a worker and an API again that are killed, and the database stays', () => {
    expect(ended.output).toMatch(/Worker was killed and is started again in 1 s\. Its log: .*worker\.log/);
    expect(later!.database).toBe(first!.database);
    expect(later!.worker).not.toBe(first!.worker);
  });

  it('stops all services in order and leaves no process', () => {
    expect(ended.status).toBe(0);
    const steps = ['Stopping API and worker', 'Stopping the database'].map((text) =>
      ended.output.indexOf(text),
    );
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps[1]).toBeGreaterThan(steps[0]!);
    expect(leftOver(directory)).toEqual([]);
  });

  it('reuses the data the second time, which takes seconds, and reports the book as imported already', async () => {
    const { status, output, seconds } = await start(['--exit'], env);
    expect(output).toContain('200 accounts of DEMO (profile core) earlier');
    expect(output).toMatch(/\nCorrected +12 accounts of DEMO_GB earlier, 12 unchanged\n/);
    expect(readFileSync(join(directory, 'book-import.log'), 'utf8')).toContain(
      'is complete already (FINISHED), so nothing is uploaded',
    );
    expect(output).toContain('\nReconciled ');
    expect(status).toBe(0);
    expect(seconds).toBeLessThan(70);
  });
});
