// npm run test:upgrade: upgrades from the last tagged release to this checkout and back while a supplier posts accounts:
// migrated under load, both releases serving at once, rolled forward, rolled back. No request may fail, and each account
// is created once. PORTAGE_UPGRADE_FROM names another tag. The queue is in PostgreSQL.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Posting } from './posting.mjs';
import { buildCheckout, buildRelease, findLastRelease } from './release.mjs';

/** Accounts that are accepted in each phase before the next step. */
const ACCOUNTS = Number(process.env['PORTAGE_UPGRADE_ACCOUNTS'] ?? 200);
const END_TIMEOUT_MS = 120_000;

let tag;
try {
  tag = findLastRelease();
} catch (error) {
  process.stdout.write(`\nFAILED: ${error.message}\n`);
  process.exit(1);
}
const current = buildCheckout();
const previous = buildRelease(tag);

const require = createRequire(import.meta.url);
const {
  EmbeddedPostgres,
  freePort,
  ServiceProcess,
} = require('../../dist/libs/local-environment/src/index.js');
const { Client } = require('pg');

/** A supplier's database, and programs of both releases on it. */
class Installation {
  services = new Set();
  stops = [];

  static async start() {
    const directory = mkdtempSync(join(tmpdir(), 'portage-upgrade-'));
    const postgres = await EmbeddedPostgres.start({
      dataDirectory: join(directory, 'postgres'),
      password: 'test',
    });
    await postgres.createDatabase('portage');
    return Object.assign(new Installation(), { directory, postgres, url: postgres.url('portage') });
  }

  get env() {
    const { PATH, HOME } = process.env;
    const own = { DATABASE_URL: this.url, PORTAGE_DIR: this.directory, NODE_ENV: 'test', LOG_LEVEL: 'info' };
    return {
      PATH,
      HOME,
      ...own,
      SHUTDOWN_GRACE_MS: '1000',
      SWEEP_INTERVAL_MS: '2000',
      SWEEP_AFTER_MS: '5000',
    };
  }

  run({ directory }, program, ...args) {
    const script = join(directory, 'dist', 'apps', 'cli', 'src', `${program}.js`);
    return execFileSync(process.execPath, [script, ...args], { env: this.env, encoding: 'utf8' });
  }

  /** Migrates in the background, so that requests go on meanwhile. */
  async migrate({ directory }) {
    const script = join(directory, 'dist', 'apps', 'cli', 'src', 'migrate.js');
    const child = spawn(process.execPath, [script], { env: this.env, stdio: ['ignore', 2, 2] });
    const [status] = await once(child, 'exit');
    if (status !== 0) throw new Error(`npm run migrate ended with status ${status}.`);
  }

  async launch(release, part) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = ServiceProcess.launch({
      name: `${part} of ${release.name}`,
      script: join(release.directory, 'dist', 'apps', part, 'src', 'main.js'),
      env: { ...this.env, [part === 'api' ? 'API_PORT' : 'WORKER_PORT']: String(port) },
      logFile: join(this.directory, `${part}-${port}.log`),
      readyUrl: `${url}/health/${part === 'api' ? 'ready' : 'live'}`,
    });
    this.services.add(service);
    await service.waitUntilReady(180_000);
    return { name: `${part} of ${release.name}`, url, service };
  }

  async stop({ name, service }) {
    const inTime = await service.stop();
    this.services.delete(service);
    this.stops.push({ name, status: inTime ? await service.exited : 'killed' });
  }

  async query(text) {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async end() {
    await Promise.all([...this.services].map(async (service) => service.stop(10_000)));
    await this.postgres.stop('immediate');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

async function obtainToken({ url }, apiKey) {
  const answer = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation ($input: ObtainPlatformTokenInput!) { obtainPlatformToken(input: $input) { token } }',
      variables: { input: { APIKey: apiKey } },
    }),
  });
  return (await answer.json()).data.obtainPlatformToken.token;
}

const started = performance.now();
const say = (text) => {
  process.stdout.write(`${((performance.now() - started) / 1_000).toFixed(0).padStart(4)} s  ${text}\n`);
};

async function upgrade(installation) {
  installation.run(previous, 'migrate');
  installation.run(previous, 'main', 'organisation', 'create', 'Supplier Ltd', '--json');
  const issued = installation.run(
    previous,
    'main',
    'api-key',
    'issue',
    '--organisation',
    'Supplier Ltd',
    '--json',
  );
  installation.run(
    previous,
    'main',
    'supplier',
    'create',
    'LEGACY',
    '--organisation',
    'Supplier Ltd',
    '--json',
  );

  const old = {
    api: await installation.launch(previous, 'api'),
    worker: await installation.launch(previous, 'worker'),
  };
  const posting = new Posting(await obtainToken(old.api, JSON.parse(issued).api_key));
  posting.add(old.api);
  posting.start();
  try {
    await posting.more(ACCOUNTS);
    say(`${previous.name} serves`);

    await installation.migrate(current);
    await posting.more(ACCOUNTS);
    say('migrated under load');

    const worker = await installation.launch(current, 'worker');
    await posting.more(ACCOUNTS);
    const api = await installation.launch(current, 'api');
    posting.add(api);
    await posting.more(ACCOUNTS);
    say('both releases serve');

    await installation.stop(old.worker);
    await installation.stop(old.api);
    posting.remove(old.api);
    await posting.more(ACCOUNTS);
    say('rolled forward');

    const oldApi = await installation.launch(previous, 'api');
    posting.add({ ...oldApi, name: `${oldApi.name} again` });
    await posting.more(ACCOUNTS);
    // API instances go back first: a worker of the previous release may not know the jobs of a later API.
    await installation.stop(api);
    posting.remove(api);
    const oldWorker = await installation.launch(previous, 'worker');
    await installation.stop(worker);
    await posting.more(ACCOUNTS);
    say('rolled back');
    await posting.stop();
    await untilEnded(installation);
    await installation.stop(oldApi);
    await installation.stop(oldWorker);
  } finally {
    await posting.stop();
  }
  return posting;
}

async function untilEnded(installation) {
  const until = Date.now() + END_TIMEOUT_MS;
  const unfinished = `SELECT count(*)::int AS count FROM import_process WHERE status IN ('PENDING', 'IN_PROGRESS')`;
  while (Date.now() < until) {
    if ((await installation.query(unfinished))[0].count === 0) return;
    await sleep(200);
  }
  throw new Error('Accounts were not imported in time.');
}

/** Accounts that were accepted and not created, and those that were created twice. */
async function check(installation, posting) {
  const rows = await installation.query('SELECT external_account_number AS number FROM account');
  const created = rows.map(({ number }) => number);
  const existing = new Set(created);
  const [{ events }] = await installation.query(
    `SELECT count(*)::int AS events FROM import_process_event WHERE event = 'PROCESSED'`,
  );
  return {
    accepted: posting.accepted.size,
    failed: posting.failures.length,
    lost: [...posting.accepted].filter((number) => !existing.has(number)).length,
    doubled: created.length - existing.size + Math.max(0, events - existing.size),
    unclean: installation.stops.filter(({ status }) => status !== 0).length,
  };
}

const installation = await Installation.start();
let status = 1;
try {
  const posting = await upgrade(installation);
  const result = await check(installation, posting);
  for (const [name, count] of posting.counts) process.stdout.write(`${name}: ${count} requests\n`);
  for (const { name, status } of installation.stops)
    process.stdout.write(`${name} stopped with status ${status}\n`);
  for (const failure of posting.failures.slice(0, 5)) process.stdout.write(`${failure}\n`);
  const { accepted, failed, lost, doubled, unclean } = result;
  process.stdout.write(
    `\n| from | accounts | failed requests | lost | doubled | unclean stops |\n| --- | --- | --- | --- | --- | --- |\n` +
      `| ${previous.name} | ${accepted} | ${failed} | ${lost} | ${doubled} | ${unclean} |\n`,
  );
  status = failed + lost + doubled + unclean === 0 ? 0 : 1;
} catch (error) {
  process.stdout.write(`FAILED  ${error.stack}\n`);
} finally {
  await installation.end();
}
process.stdout.write(status === 0 ? 'passed\n' : 'FAILED\n');
process.exit(status);
