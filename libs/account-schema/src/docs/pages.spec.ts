import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from './pages';

it.each(Object.entries(PAGES))(
  'docs/%s is what this writes: npm run build && node dist/libs/account-schema/src/docs/write-docs.js',
  (name, page) => {
    expect(readFileSync(join(__dirname, '../../../../docs', name), 'utf8')).toBe(page());
  },
);
