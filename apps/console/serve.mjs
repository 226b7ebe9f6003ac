// Serves the console from its sources, for `npm run dev`.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const server = await createServer({ configFile: fileURLToPath(new URL('vite.config.mjs', import.meta.url)) });
await server.listen();
server.printUrls();
