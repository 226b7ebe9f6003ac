import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesDoc } from '../../src/rules/rules-doc';

describe('docs/validation-rules.md', () => {
  it('is what this writes: npm run build && node dist/libs/account-schema/src/rules/write-rules-doc.js', () => {
    const committed = readFileSync(join(__dirname, '../../../../docs/validation-rules.md'), 'utf8');
    expect(committed).toBe(rulesDoc());
  });
});
