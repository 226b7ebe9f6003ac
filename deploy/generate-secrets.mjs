// node deploy/generate-secrets.mjs <directory>: generates the secrets of docker-compose.yml, once, and writes to each
// folder of the directory the files of the one service that mounts it. Variables of the environment replace generated
// values. Prints nothing, and with --print <NAME> one secret.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = [
  'TOKEN_SECRET',
  'OPERATOR_SECRETS_KEY',
  'METRICS_TOKEN',
  'WEBHOOK_SECRETS_KEY',
  'POSTGRES_OWNER_PASSWORD',
  'POSTGRES_APPLICATION_PASSWORD',
  'REDIS_PASSWORD',
  'OBJECT_STORE_SECRET_KEY',
];

const [directory, option, printed] = process.argv.slice(2);
if (!directory || (option !== undefined && option !== '--print')) {
  process.stderr.write('node deploy/generate-secrets.mjs <directory> [--print <NAME>]\n');
  process.exit(2);
}

const file = join(directory, 'generated', 'secrets.json');
const stored = read();
const secrets = Object.fromEntries(
  NAMES.map((name) => [name, process.env[name] || stored[name] || randomBytes(24).toString('base64url')]),
);
write(file, `${JSON.stringify(secrets, undefined, 2)}\n`, 0o600);

const databaseUrl = `postgres://portage_app:${secrets.POSTGRES_APPLICATION_PASSWORD}@postgres:5432/portage`;
const ownerUrl = `postgres://portage:${secrets.POSTGRES_OWNER_PASSWORD}@postgres:5432/portage`;
writeSettings('application', {
  DATABASE_URL: databaseUrl,
  REDIS_URL: `redis://:${secrets.REDIS_PASSWORD}@redis:6379`,
  TOKEN_SECRET: secrets.TOKEN_SECRET,
  OPERATOR_SECRETS_KEY: secrets.OPERATOR_SECRETS_KEY,
  METRICS_TOKEN: secrets.METRICS_TOKEN,
  WEBHOOK_SECRETS_KEY: secrets.WEBHOOK_SECRETS_KEY,
  AWS_ACCESS_KEY_ID: 'portage',
  AWS_SECRET_ACCESS_KEY: secrets.OBJECT_STORE_SECRET_KEY,
});
writeSettings('migration', { DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: ownerUrl });
write(join(directory, 'postgres', 'password'), secrets.POSTGRES_OWNER_PASSWORD);
write(join(directory, 'redis', 'redis.conf'), `requirepass ${secrets.REDIS_PASSWORD}\n`);
write(join(directory, 'object-store', 'secret-key'), secrets.OBJECT_STORE_SECRET_KEY);

if (option === '--print') {
  if (!NAMES.includes(printed)) {
    process.stderr.write(`Secrets: ${NAMES.join(', ')}\n`);
    process.exit(2);
  }
  process.stdout.write(`${secrets[printed]}\n`);
}

function read() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

function writeSettings(folder, settings) {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quote(name, value)}\n`);
  write(join(directory, folder, 'settings.env'), lines.join(''));
}

/** The value as Node reads it from the file. */
function quote(name, value) {
  // In double quotes Node replaces \\n.
  const mark = ["'", '`', '"'].find((one) => !value.includes(one));
  if (mark !== undefined && !/[\n\r]/.test(value)) return mark + value + mark;
  process.stderr.write(`${name} must not contain line breaks, nor all of the three quotation marks.\n`);
  process.exit(2);
}

/** Only the service that mounts the folder can open the file, whatever its user. */
function write(path, text, mode = 0o444) {
  mkdirSync(join(path, '..'), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, path);
}
