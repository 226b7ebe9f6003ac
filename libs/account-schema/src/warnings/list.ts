import { AMOUNT_WARNINGS } from './amounts';
import { DAMAGED_TEXT_WARNINGS } from './damaged-text';
import { PEOPLE_WARNINGS } from './people';
import { READING_WARNINGS } from './readings';
import { SHARED_VALUE_WARNINGS } from './shared-values';
import { STATEMENT_WARNINGS } from './statements';
import { SUPPLY_WARNINGS } from './supply';
import type { Warning } from './warning';

/** All warnings by subject: the sections of docs/warnings.md. */
export const WARNING_SUBJECTS: readonly { readonly title: string; readonly rules: readonly Warning[] }[] = [
  { title: 'People and names', rules: PEOPLE_WARNINGS },
  { title: 'Sale, addresses, agreements and consumption', rules: SUPPLY_WARNINGS },
  { title: 'Meters and readings', rules: READING_WARNINGS },
  { title: 'Statements', rules: STATEMENT_WARNINGS },
  { title: 'Amounts and rates', rules: AMOUNT_WARNINGS },
  { title: 'Damaged text and numbers', rules: DAMAGED_TEXT_WARNINGS },
  { title: 'Values of several accounts', rules: SHARED_VALUE_WARNINGS },
];

/** All warnings. `docs/warnings.md` is generated from this list. */
export const WARNINGS: readonly Warning[] = WARNING_SUBJECTS.flatMap(({ rules }) => rules);

/** The codes of all warnings, in the order of the list. */
export const WARNING_CODES: readonly string[] = WARNINGS.map(({ code }) => code);
