// Preloaded by the scripts of package.json: adds the variables of .env, if there is one, to those of the environment, which
// win. Node has --env-file-if-exists from 22.9 on.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../.env', import.meta.url));
if (existsSync(file)) process.loadEnvFile(file);
