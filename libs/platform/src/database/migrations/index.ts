// `npm run migration:create -- <name>` writes this file.
import { FirstSchema1795392000000 } from './1795392000000-first-schema';

/** All migrations, in the order in which they run. Append only. */
export const migrations = [FirstSchema1795392000000];
