// npm run lint:openapi: builds, which writes dist/openapi.json and dist/operator-openapi.json, and checks the documents with Redocly and Spectral, and
// the AsyncAPI document with Spectral.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { document, operatorDocument, prepare, root } from './prepare.mjs';

const asyncApi = join(root, 'dist', 'asyncapi.json');
const linters = [
  ['redocly', 'lint', document, '--config', 'redocly.yaml'],
  ['redocly', 'lint', operatorDocument, '--config', 'redocly.yaml'],
  ['spectral', 'lint', document, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'],
  ['spectral', 'lint', operatorDocument, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint'],
  ['spectral', 'lint', asyncApi, '--ruleset', '.spectral-asyncapi.yaml', '--fail-severity', 'hint'],
];
/** No requests to other servers: the linters are those of package-lock.json, and nothing is reported. */
const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

await prepare();
const { buildAsyncApiDocument } = createRequire(import.meta.url)(
  join(root, 'dist', 'apps', 'api', 'src', 'asyncapi', 'asyncapi-document.js'),
);
writeFileSync(asyncApi, `${JSON.stringify(buildAsyncApiDocument(['portage.example.com']))}\n`);
for (const [name, ...args] of linters) {
  process.stdout.write(`=== ${name}\n`);
  const { status, error } = spawnSync(join(root, 'node_modules', '.bin', name), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}
