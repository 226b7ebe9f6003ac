// Run by `npm pack`: copies the compiled module to each declaration that TypeScript has written, which are those that the
// index reaches. So the package has the modules that the service runs.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

for (const file of readdirSync('dist', { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const module = file.replace(/\.d\.ts$/, '.js');
  copyFileSync(join('..', '..', 'dist', 'libs', module), join('dist', module));
}
