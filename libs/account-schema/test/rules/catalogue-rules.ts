import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A rule of the catalogue. */
export interface CatalogueRule {
  readonly tier: string;
  readonly code: string;
  readonly scope: string;
  readonly class: string;
  readonly basis: string;
}

/** All rules of the catalogue, in its order. */
export function catalogueRules(): CatalogueRule[] {
  const [, ...lines] = readFileSync(join(__dirname, 'catalogue-rules.tsv'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [tier = '', code = '', scope = '', kind = '', basis = ''] = line.split('\t');
    return { tier, code, scope, class: kind, basis };
  });
}
