import { ACCOUNT_KIND_RULES } from './account-kind';
import { type Rule } from './engine/rule';
import { NOTE_RULES } from './notes';

/**
 * Every rule there is, subject by subject: the account itself first, then what is in it, then what is sent
 * after the import. `docs/validation-rules.md` is this list, and a test holds it to the catalogue.
 */
export const RULES: readonly Rule[] = [...ACCOUNT_KIND_RULES, ...NOTE_RULES];
