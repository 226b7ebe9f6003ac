import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withReference } from './forms-reference';
import { mappingSchema } from './mapping-schema';

/** Writes docs/mapping.schema.json and the forms in docs/mapping.md, relative to the current directory. */
const docs = join(process.cwd(), 'docs');
writeFileSync(join(docs, 'mapping.schema.json'), `${JSON.stringify(mappingSchema(), null, 1)}\n`);
const page = join(docs, 'mapping.md');
writeFileSync(page, withReference(readFileSync(page, 'utf8')));
