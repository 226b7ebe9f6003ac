import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesDoc } from './rules-doc';

/** Writes docs/validation-rules.md of the checkout that it is run in. */
writeFileSync(join(process.cwd(), 'docs', 'validation-rules.md'), rulesDoc());
