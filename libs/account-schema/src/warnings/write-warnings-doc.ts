import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { warningsDoc } from './warnings-doc';

/** Writes docs/warnings.md, relative to the current directory. */
writeFileSync(join(process.cwd(), 'docs', 'warnings.md'), warningsDoc());
