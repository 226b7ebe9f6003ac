// node packages/client/generate.mjs DOCUMENT: generates src/generated from an OpenAPI document, unless it is up to date.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [, , document] = process.argv;
const output = join(here, 'src', 'generated');
const stamp = join(output, '.made-from');

function fingerprint() {
  const manifest = createRequire(import.meta.url).resolve('@hey-api/openapi-ts/package.json');
  const hash = createHash('sha256');
  for (const file of [document, manifest, fileURLToPath(import.meta.url)]) hash.update(readFileSync(file));
  return hash.digest('hex');
}

async function generate() {
  const { clientDefaultMeta, createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: document,
    output: { path: output, entryFile: false, tsConfigPath: null },
    logs: { level: 'silent', file: false },
    interactive: false,
    plugins: [
      '@hey-api/typescript',
      {
        name: '@hey-api/sdk',
        client: false,
        operations: { strategy: 'single', containerName: 'PortageOperations' },
      },
      // The operations call src/operation-client.ts instead of a generated HTTP client.
      {
        ...clientDefaultMeta,
        name: '../operation-client',
        config: { bundle: false, throwOnError: true },
        handler: () => undefined,
      },
    ],
  });
}

const wanted = fingerprint();
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  await generate();
  writeFileSync(stamp, wanted);
}
