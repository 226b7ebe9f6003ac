// npm run lint:openapi: builds, and checks the OpenAPI document and the AsyncAPI document with Redocly.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const asyncApi = 'dist/asyncapi.json';

/** No requests to other servers: the linter is that of package-lock.json, and nothing is reported. */
const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

await prepare();
const { buildAsyncApiDocument } = createRequire(import.meta.url)(
  join(root, 'dist', 'apps', 'api', 'src', 'asyncapi', 'asyncapi-document.js'),
);
writeFileSync(join(root, asyncApi), `${JSON.stringify(buildAsyncApiDocument(['portage.example.com']))}\n`);
const { status, error } = spawnSync(
  join(root, 'node_modules', '.bin', 'redocly'),
  ['lint', 'dist/openapi.json', asyncApi, '--config', 'redocly.yaml'],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...environment } },
);
if (error) throw error;
process.exitCode = status ?? 1;
