import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesDoc } from './rules-doc';

/** Writes docs/validation-rules.md, relative to the current directory. */
writeFileSync(join(process.cwd(), 'docs', 'validation-rules.md'), rulesDoc());
