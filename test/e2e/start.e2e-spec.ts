import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram, chosenBackends, newRedisDatabase, REPOSITORY } from '@portage/testing';

const PROGRAM = builtProgram('start');

interface Ended {
  status: number | null;
  output: string;
  seconds: number;
}

/** Runs the program of npm start. Calls `during` with the output so far after each output. */
async function start(
  args: string[],
  env: NodeJS.ProcessEnv,
  during: (output: string, pid: number) => void = () => undefined,
): Promise<Ended> {
  const began = performance.now();
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
  return { status, output, seconds: (performance.now() - began) / 1_000 };
}

/** Creates a webhook endpoint of the demo, and has it sent a test event. */
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
  return post(`${endpoints}${created.id}/test/`, undefined, token);
}

/** The processes with the folder in their command line or environment. */
function leftOver(directory: string): string[] {
  const listed = execFileSync('ps', ['axeww', '-o', 'pid=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  return listed.split('\n').filter((line) => line.includes(directory));
}

describe.each(chosenBackends())('npm start, with the queue in %s', (backend) => {
  let directory: string;
  let env: NodeJS.ProcessEnv;
  let blocker: Server;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'portage-start-'));
    const redisUrl = await newRedisDatabase(backend);
    // Another program uses the configured port of the API.
    blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const taken = (blocker.address() as { port: number }).port;
    env = {
      PORTAGE_DIR: directory,
      API_PORT: String(taken),
      WORKER_PORT: '0',
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    };
  });
  afterAll(() => {
    blocker.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('imports the sample book through the public API and prints the results', async () => {
    const { status, output } = await start(['--exit'], env);
    expect(output).toContain('/queues');
    expect(output).not.toMatch(/NOT (RECONCILED|AS EXPECTED)/);
    expect(status).toBe(0);
    const [summary = ''] = /^Imported [^]*?(?=^Stopping)/m.exec(output) ?? [];
    expect(summary.split('\n').length).toBeLessThanOrEqual(24);
    const words = summary.replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      '200 accounts of DEMO (profile core), 24 accounts of DEMO_GB (profile gb-energy)',
    );
    expect(words).toMatch(/Refused 12 accounts .* \S+book-errors\.csv: 3 invalid, 2 parse_error, \w/);
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
    for (const [supplier, { submissions }] of Object.entries({ DEMO: report, DEMO_GB: energy }))
      expect(submissions).toEqual([
        expect.objectContaining({
          status: 'FINISHED',
          import_supplier: supplier,
          reconciliation: expect.objectContaining({ reconciled: true }),
        }),
      ]);
    expect(leftOver(directory)).toEqual([]);
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

  // The following cases do not depend on the queue backend.
  if (backend !== chosenBackends()[0]) return;

  it('reuses the data within ten seconds the second time and reports the book as imported already', async () => {
    const { status, output, seconds } = await start(['--exit'], env);
    expect(output).toContain('200 accounts of DEMO (profile core) earlier');
    expect(readFileSync(join(directory, 'book-import.log'), 'utf8')).toContain(
      'is complete already (FINISHED), so nothing is uploaded',
    );
    expect(output).toContain('\nReconciled ');
    expect(status).toBe(0);
    expect(seconds).toBeLessThan(10);
  });

  it('sends webhooks to a receiver on the same machine without settings', async () => {
    const received: string[] = [];
    const receiver = createHttpServer((request, response) => {
      received.push(String(request.headers['webhook-id'] ?? ''));
      request.resume().on('end', () => response.writeHead(204).end());
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/portage`;
    const tested: Promise<unknown>[] = [];
    const { status } = await start([], env, (soFar, pid) => {
      if (tested.length > 0 || !soFar.includes('Ctrl-C')) return;
      const baseUrl = /API\s+(http:\S+)/.exec(soFar)![1]!;
      const apiKey = readFileSync(join(directory, 'demo-api-key'), 'utf8').trim();
      tested.push(testWebhook(baseUrl, apiKey, url).finally(() => process.kill(pid, 'SIGINT')));
    });
    receiver.close();
    const [answer] = await Promise.all(tested);
    expect(answer).toMatchObject({ status: 204 });
    expect(received).toEqual([expect.stringMatching(/./)]);
    expect(status).toBe(0);
  });

  it('a worker and an API that are killed are started again, and the database stays', async () => {
    const pidOf = (pattern: RegExp) =>
      Number(
        leftOver(directory)
          .find((line) => pattern.test(line))
          ?.trim()
          .split(' ')[0],
      );
    const script = (app: string) => new RegExp(`apps/${app}/src/main\\.js`);
    const database = /bin\/postgres/;
    const pids: Record<string, number> = {};
    let step = 0;
    const { status, output } = await start([], env, (soFar, pid) => {
      if (step === 0 && soFar.includes('Ctrl-C')) {
        step = 1;
        Object.assign(pids, {
          worker: pidOf(script('worker')),
          api: pidOf(script('api')),
          database: pidOf(database),
        });
        process.kill(pids['worker']!, 'SIGKILL');
      } else if (step === 1 && soFar.includes('Worker runs again')) {
        step = 2;
        process.kill(pids['api']!, 'SIGKILL');
      } else if (step === 2 && soFar.includes('API runs again')) {
        step = 3;
        Object.assign(pids, { laterWorker: pidOf(script('worker')), laterDatabase: pidOf(database) });
        process.kill(pid, 'SIGINT');
      }
    });
    expect(step).toBe(3);
    expect(output).toMatch(/Worker was killed and is started again in 1 s\. Its log: .*worker\.log/);
    expect(pids['laterDatabase']).toBe(pids['database']);
    expect(pids['laterWorker']).not.toBe(pids['worker']);
    expect(status).toBe(0);
    expect(leftOver(directory)).toEqual([]);
  }, 120_000);

  it('Ctrl-C stops all services in order and leaves no process', async () => {
    let interrupted = false;
    const { status, output } = await start([], env, (soFar, pid) => {
      if (interrupted || !soFar.includes('Ctrl-C')) return;
      interrupted = true;
      process.kill(pid, 'SIGINT');
    });
    expect(status).toBe(0);
    expect(output.indexOf('Stopping API and worker')).toBeGreaterThan(0);
    expect(output.indexOf('Stopping the database')).toBeGreaterThan(
      output.indexOf('Stopping API and worker'),
    );
    expect(leftOver(directory)).toEqual([]);
  });
});
