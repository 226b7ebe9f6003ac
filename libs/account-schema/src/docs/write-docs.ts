import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from './pages';

/** Writes the generated pages of `docs`, relative to the current directory. */
for (const [name, page] of Object.entries(PAGES)) writeFileSync(join(process.cwd(), 'docs', name), page());
