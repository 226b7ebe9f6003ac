import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentKey } from '../../../libs/platform/src/document-stores/document-key';
import { FolderDocumentStore } from '../../../libs/platform/src/document-stores/folder-document-store';
import { LIMITS } from '../../../libs/platform/test/stores';
import { until } from '@portage/testing';
import type { Installation } from '@portage/testing/installation';
import { Client } from 'pg';
import { type Scenario, type ScenarioRun, seconds } from '../scenario';

const SPACE_MEBIBYTES = 64;
const MAX_ACCOUNTS = 400;
const RECOVERY_MS = 90_000;
const CHUNK = Buffer.alloc(65_536);

const missing = () =>
  process.getuid?.() === 0
    ? undefined
    : 'only root may mount a file system of limited size; run the scenario as root';

/** Mounts a small file system, in which `data` belongs to the owner of `like`. */
function mountSpace({ atEnd }: ScenarioRun, like: string): string {
  const space = mkdtempSync(join(tmpdir(), 'portage-space-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SPACE_MEBIBYTES}m`, 'tmpfs', space]);
  atEnd(() => {
    execFileSync('umount', [space]);
    rmSync(space, { recursive: true, force: true });
  });
  const { uid, gid } = statSync(like);
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

/** Sends accounts until one is refused. @returns the number that was accepted, and the refusal */
async function sendUntilRefused(installation: Installation) {
  for (let count = 0; count < MAX_ACCOUNTS; count += 1) {
    const answer = await installation.schedule(installation.account(`FULL-${count}`));
    if (answer.status !== 201) return { count, answer };
  }
  throw new Error(`${MAX_ACCOUNTS} accounts were accepted on a full disk.`);
}

const underPostgres: Scenario = {
  title: 'a full disk under PostgreSQL is answered with 503, loses nothing, and ends by itself with space',
  minutes: 2,
  missing,
  run: async (run) => {
    let space = '';
    const installation = await run.install({
      postgres: {
        prepare: async (server, directory) => {
          space = mountSpace(run, join(directory, 'postgres'));
          const client = new Client({ connectionString: server.url() });
          await client.connect();
          await client.query(`CREATE TABLESPACE small LOCATION '${join(space, 'data')}'`);
          await client.query('CREATE DATABASE portage TABLESPACE small');
          await client.end();
          return undefined;
        },
      },
    });
    await installation.schedule(installation.account('BEFORE'));
    await installation.waitForAccount('BEFORE', 'PROCESSED');
    const filler = fill(space);
    const { count, answer } = await sendUntilRefused(installation);
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    // What is stored can still be read.
    expect((await installation.status('BEFORE')).body).toMatchObject({ status: 'PROCESSED' });
    rmSync(filler);
    const since = performance.now();
    await until(
      async () => (await installation.schedule(installation.account(`FULL-${count}`))).status === 201,
      'the refused account is not accepted',
      RECOVERY_MS,
    );
    await installation.waitFor('PROCESSED', count + 2, RECOVERY_MS);
    run.say(`${count} accepted before the refusal, all imported ${seconds(performance.now() - since)} later`);
    return undefined;
  },
};

const underDocuments: Scenario = {
  title: 'a full disk under the documents is a passing error without a file, and ends by itself with space',
  minutes: 1,
  backends: ['postgres'],
  missing,
  run: async (run) => {
    const space = mountSpace(run, tmpdir());
    const store = new FolderDocumentStore(join(space, 'data'), LIMITS);
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
    return undefined;
  },
};

export default { 'disk-full': underPostgres, 'disk-full-documents': underDocuments };
