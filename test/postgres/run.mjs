// npm run test:postgres [-- tls|pooler|disk-full|versions]: what PostgreSQL has in production, with API, worker, migrations and command line
// as processes. Each part ends by itself within ten minutes. PGBOUNCER names a PgBouncer that is not on the PATH,
// POSTGRES_BINARIES folders with PostgreSQL programs. disk-full mounts file systems, so it needs root.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from '../../scripts/prepare.mjs';

const PARTS = ['tls', 'pooler', 'disk-full', 'versions'];

const parts = process.argv.slice(2);
if (parts.some((part) => !PARTS.includes(part))) {
  process.stderr.write(`npm run test:postgres -- [${PARTS.join('] [')}]\n`);
  process.exit(2);
}

await prepare();
const paths = (parts.length > 0 ? parts : PARTS).map((part) => `test/postgres/${part}\\.postgres-spec`);
const { status } = spawnSync(
  join(root, 'node_modules', '.bin', 'jest'),
  ['--selectProjects', 'postgres', '--maxWorkers=1', '--testPathPatterns', ...paths],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
