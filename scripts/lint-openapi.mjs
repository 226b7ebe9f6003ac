// npm run lint:openapi: builds, which writes dist/openapi.json, and checks that document with Redocly and Spectral.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { document, prepare, root } from './prepare.mjs';

const linters = {
  redocly: ['lint', document, '--config', 'redocly.yaml'],
  spectral: ['lint', document, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'],
};
/** No requests to other servers: the linters are those of package-lock.json, and nothing is reported. */
const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

prepare();
for (const [name, args] of Object.entries(linters)) {
  process.stdout.write(`=== ${name}\n`);
  const { status, error } = spawnSync(join(root, 'node_modules', '.bin', name), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}
