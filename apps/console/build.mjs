// Builds the console to dist/console.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// With another environment, such as that of a test, React would be the slower one for development.
process.env.NODE_ENV = 'production';
await build({ configFile: fileURLToPath(new URL('vite.config.mjs', import.meta.url)), logLevel: 'warn' });
