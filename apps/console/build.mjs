// Builds the console to dist/console.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

await build({ configFile: fileURLToPath(new URL('vite.config.mjs', import.meta.url)), logLevel: 'warn' });
