// node apps/console/build.mjs [DOCUMENT]: generates the types of the operator API, and builds the console to dist/console.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { build } from 'vite';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const generated = path('src/api/generated.ts');

async function generateTypes(document) {
  const types = astToString(
    await openapiTS(JSON.parse(readFileSync(document, 'utf8')), { alphabetize: true }),
  );
  const text = `// Generated from the operator API's OpenAPI document by apps/console/build.mjs.\n${types}`;
  // An unchanged file keeps its time, for caches of type checks.
  if (!existsSync(generated) || readFileSync(generated, 'utf8') !== text) writeFileSync(generated, text);
}

const [, , document] = process.argv;
if (document !== undefined) await generateTypes(document);
await build({ configFile: path('vite.config.mjs'), logLevel: 'warn' });
