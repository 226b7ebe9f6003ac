import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesDoc } from '../../src/rules/rules-doc';

describe('docs/validation-rules.md', () => {
  it('is generated from the list of rules', () => {
    const committed = readFileSync(join(__dirname, '../../../../docs/validation-rules.md'), 'utf8');
    expect(committed).toBe(rulesDoc());
  });
});
