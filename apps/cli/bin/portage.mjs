#!/usr/bin/env node
// npx portage: the operator's command line, as `npm start` or `npm run build` has built it.
import '../../../scripts/read-env.mjs';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = new URL('../../../dist/apps/cli/src/main.js', import.meta.url);
if (existsSync(program)) {
  // The program's own name in its messages.
  process.argv[1] = fileURLToPath(program);
  await import(program);
} else {
  process.stderr.write('Portage is not built. Run npm start, or npm ci and npm run build.\n');
  process.exitCode = 1;
}
