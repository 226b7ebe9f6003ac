import { rulesDoc } from './rules-doc';
import { warningsDoc } from './warnings-doc';
import { fieldsDoc } from './fields-doc';

/** The pages of `docs` that are generated from the contract, by file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'fields.md': fieldsDoc,
  'validation-rules.md': rulesDoc,
  'warnings.md': warningsDoc,
};
