import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createDocumentStore, documentKey, loadConfig } from '@portage/platform';
import { type TestedBackend, type TestPortage, until } from '@portage/testing';
import { Client } from 'pg';
import { BACKENDS, ProductionPostgres } from './production-postgres';

const RUN_TIMEOUT_MS = 240_000;
const SPACE_MEBIBYTES = 64;
const MAX_ACCOUNTS = 400;
const RECOVERY_MS = 90_000;
const CHUNK = Buffer.alloc(65_536);

/** Only root may mount a file system of limited size. */
const isRoot = process.getuid?.() === 0;

let postgres: ProductionPostgres;
const spaces: string[] = [];

beforeAll(async () => {
  postgres = await ProductionPostgres.start();
}, RUN_TIMEOUT_MS);
afterAll(async () => {
  await postgres.server.stop('immediate');
  for (const space of spaces) execFileSync('umount', [space]);
  await postgres.stop();
});

/** Mounts a small file system, which belongs to PostgreSQL. */
function mountSpace(name: string): string {
  const space = join(postgres.directory, name);
  mkdirSync(space);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SPACE_MEBIBYTES}m`, 'tmpfs', space]);
  spaces.push(space);
  const { uid, gid } = statSync(join(postgres.directory, 'data'));
  mkdirSync(join(space, 'data'), { mode: 0o700 });
  for (const path of [space, join(space, 'data')]) chownSync(path, uid, gid);
  return space;
}

/** Uses up all space. @returns the file to remove */
function fill(space: string): string {
  const file = join(space, 'filler');
  try {
    for (;;) appendFileSync(file, CHUNK);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  return file;
}

async function createTablespace(database: string, space: string): Promise<void> {
  const client = new Client({ connectionString: postgres.ownerUrl('postgres') });
  await client.connect();
  await client.query(`CREATE TABLESPACE ${database} LOCATION '${join(space, 'data')}'`);
  await client.query(`CREATE DATABASE ${database} TABLESPACE ${database}`);
  await client.end();
}

/** Sends accounts until one is refused. @returns the number that was accepted, and the refusal */
async function sendUntilRefused(portage: TestPortage) {
  for (let count = 0; count < MAX_ACCOUNTS; count += 1) {
    const answer = await portage.schedule(portage.account(`FULL-${count}`));
    if (answer.status !== 201) return { count, answer };
  }
  throw new Error(`${MAX_ACCOUNTS} accounts were accepted on a full disk.`);
}

(isRoot ? describe : describe.skip)('a full disk', () => {
  it.each<TestedBackend>(BACKENDS)(
    'under PostgreSQL is answered with 503, loses nothing, and ends by itself with space, queue in %s',
    async (backend) => {
      const database = `full_${backend}`;
      const space = mountSpace(database);
      await createTablespace(database, space);
      await postgres.createMigrated(database);
      const portage = await postgres.startPortage(database, backend);
      try {
        await portage.schedule(portage.account('BEFORE'));
        await portage.waitForAccount('BEFORE', 'PROCESSED');
        const filler = fill(space);
        const { count, answer } = await sendUntilRefused(portage);
        expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        // What is stored can still be read.
        expect((await portage.status('BEFORE')).body).toMatchObject({ status: 'PROCESSED' });
        rmSync(filler);
        const since = performance.now();
        await until(
          async () => (await portage.schedule(portage.account(`FULL-${count}`))).status === 201,
          RECOVERY_MS,
          () => 'the refused account is not accepted',
        );
        await portage.waitFor('PROCESSED', count + 2, RECOVERY_MS);
        const seconds = ((performance.now() - since) / 1_000).toFixed(1);
        process.stderr.write(
          `disk full, ${backend}: ${count} accepted before the refusal, all imported ${seconds} s after there was space\n`,
        );
      } finally {
        await portage.stop();
      }
    },
    RUN_TIMEOUT_MS,
  );

  it('under the folder of documents is a passing error without a file, and ends by itself with space', async () => {
    const space = mountSpace('documents');
    const config = loadConfig('cli', {
      DATABASE_URL: postgres.ownerUrl('postgres'),
      DOCUMENT_STORE_URL: `file://${join(space, 'data')}`,
    });
    const store = createDocumentStore(config);
    const filler = fill(space);
    const resolved = documentKey('supplier', 'statement.pdf');
    if (resolved.outcome !== 'resolved') throw new Error(resolved.detail);
    const { key } = resolved;
    await expect(store.put(key, CHUNK)).rejects.toMatchObject({
      name: 'DocumentStoreUnavailable',
      reason: 'ENOSPC',
    });
    expect(readdirSync(join(space, 'data'), { recursive: true })).not.toContain('supplier/statement.pdf');
    rmSync(filler);
    await store.put(key, CHUNK);
    expect(await store.head(key)).toEqual({ size: CHUNK.length });
  });
});
