import { DORMANT_RULES } from '../rules/dormant';
import { pathsOf } from '../rules/engine/paths';
import { type Rule, RULE_COSTS } from '../rules/engine/kinds';
import { RULES, type Subject, SUBJECTS } from '../rules/list';

const INTRODUCTION = `# Validation rules

All rules that check more than the format of a single field, by subject. This page is generated from the list of rules
(\`libs/account-schema/src/rules\`). Do not edit it: change the list, build, and run
\`node dist/libs/account-schema/src/docs/write-docs.js\`.

Each entry has the code of the rule, the path at which a breach is reported, and the reason for the rule.

- In paths, \`<i>\`, \`<j>\` and so on are indexes, counted from zero. \`<transactions>\` stands for each list of
  transactions of the account, of a ledger or of a request.
- Rules and paths marked **gb-energy** concern the British market and are applied only under the profile \`gb-energy\`. Rules
  marked **completeness** require optional data and are also applied only under that profile. All other rules are
  always applied.
- _Needs_ lists the inputs of a rule besides the payload. Settings that are not set have permissive defaults, and lists
  that are not configured are not checked.
- A rule that depends on a value with a field error reports nothing until that value is corrected.
- Identifiers (of the import supplier, account, import, customer, ledger, transaction, note, statement, property, mandate
  and bill, and references) with control, bidirectional or zero-width characters are a field error \`invalid\` at their
  path. The check costs one pass over the characters of the identifier.
- _Cost_ says how the work of a rule grows with the size of a body:
${Object.entries(RULE_COSTS)
  .map(([name, meaning]) => `  - _${name}_: ${meaning};`)
  .join('\n')
  .replace(/;$/, '.')}
`;

/** The documentation of all rules, as Markdown: the content of docs/validation-rules.md. */
export function rulesDoc(): string {
  return [
    INTRODUCTION,
    `There are ${RULES.length} rules and ${DORMANT_RULES.length} dormant rules.\n`,
    ...SUBJECTS.map(subjectSection),
    dormantSection(),
  ].join('\n');
}

function subjectSection({ title, rules }: Subject): string {
  return `## ${title}\n\n${rules.map((one) => ruleEntry(one)).join('')}`;
}

/** The entry of a rule, or of a warning, which every profile has, in the documentation. */
export function ruleEntry(one: Rule, hasProfile = true): string {
  const market = hasProfile && one.checkedBy === 'payload' && one.tier === 'core' ? one.marketScopes : [];
  const limited = pathsOf({ at: Object.fromEntries(market.map((scope) => [scope, one.at[scope]])) });
  const paths = pathsOf(one).map((path) => `\`${path}\`${limited.includes(path) ? ' (**gb-energy**)' : ''}`);
  const isLimited = hasProfile && one.tier === 'gbr';
  const marks = [isLimited ? 'gb-energy' : '', one.completeness ? 'completeness' : ''].filter(Boolean);
  const head = `- \`${one.code}\`${marks.map((mark) => ` **${mark}**`).join('')}`;
  const needs = one.needs.length > 0 ? ` _Needs ${one.needs.join(', ')}._` : '';
  return `${head}\n  at ${paths.join(', ')}:\n  ${one.reason}${needs}${whereChecked(one)} _Cost: ${one.cost}._\n`;
}

/** A sentence about where a rule is checked, if not with the payload rules. */
function whereChecked(one: Rule): string {
  switch (one.checkedBy) {
    case 'payload':
      return '';
    case 'field':
      return one.reportedAs
        ? ` Checked as the field is read, and reported as \`${one.reportedAs}\`.`
        : ' Checked as the field is read.';
    case 'lookup':
      return ' Checked before the account is created.';
    case 'use case':
      return ` Checked by ${one.checkedIn}.`;
  }
}

function dormantSection(): string {
  const rules = DORMANT_RULES.map(({ code, missing: lacks }) => `- \`${code}\`: ${lacks}\n`);
  return `## Dormant\n\nRules about fields that are not part of the contract. Each is listed with the missing part.\n\n${rules.join('')}`;
}
